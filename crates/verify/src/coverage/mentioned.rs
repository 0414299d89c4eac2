//! The functions that calls from the start on may reach, by what edges mention, whatever values are.

use program::{AddressBase, Callee, ExprId, ExprKind, Function, FunctionId, GlobalId, GlobalInit, Op, Program};
use rustc_hash::FxHashSet;

/// Functions that are called, or whose address is mentioned, by such functions or by objects that they mention; in order.
pub fn functions(program: &Program) -> Vec<FunctionId> {
    let mut found = Found::default();
    found.mention(AddressBase::Function(program.entry));
    while let Some(base) = found.work.pop() {
        match base {
            AddressBase::Function(id) => found.body(&program.functions[id]),
            AddressBase::Global(id) => found.object(&program.globals[id].init),
        }
    }
    let mut functions: Vec<FunctionId> = found.functions.into_iter().collect();
    functions.sort_unstable();
    functions
}

#[derive(Default)]
struct Found {
    functions: FxHashSet<FunctionId>,
    globals: FxHashSet<GlobalId>,
    work: Vec<AddressBase>,
}

impl Found {
    fn mention(&mut self, base: AddressBase) {
        let new = match base {
            AddressBase::Function(id) => self.functions.insert(id),
            AddressBase::Global(id) => self.globals.insert(id),
        };
        if new {
            self.work.push(base);
        }
    }

    fn body(&mut self, function: &Function) {
        for edge in function.edges.iter() {
            if let Op::Call(call) = &edge.op
                && let Callee::Direct(callee) = call.callee
            {
                self.mention(AddressBase::Function(callee));
            }
        }
        visit_expressions(function, |kind| match kind {
            ExprKind::FunctionAddress(id) => self.mention(AddressBase::Function(id)),
            ExprKind::GlobalAddress(id) => self.mention(AddressBase::Global(id)),
            _ => {}
        });
    }

    fn object(&mut self, init: &GlobalInit) {
        if let GlobalInit::Image(image) = init {
            image.pointers.iter().for_each(|(_, address)| self.mention(address.base));
        }
    }
}

/// All expressions that edges read, each once.
fn visit_expressions(function: &Function, mut visit: impl FnMut(ExprKind)) {
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut work: Vec<ExprId> = Vec::new();
    function.edges.iter().for_each(|edge| edge.op.operands(&mut |expr, _| work.push(expr)));
    while let Some(expr) = work.pop() {
        if seen.insert(expr) {
            let kind = function.exprs[expr].kind;
            visit(kind);
            work.extend(operands(kind));
        }
    }
}

pub fn operands(kind: ExprKind) -> impl Iterator<Item = ExprId> {
    let operands = match kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => [Some(a), None, None],
        ExprKind::Binary(_, a, b) => [Some(a), Some(b), None],
        ExprKind::If(a, b, c) => [Some(a), Some(b), Some(c)],
        _ => [None; 3],
    };
    operands.into_iter().flatten()
}

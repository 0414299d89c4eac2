//! Variable ordering: variables that are computed from each other or compared have their bits interleaved, for only then a relation
//! between numbers is a small diagram. Unrelated numbers lie apart, for else their diagrams multiply.

use base::IndexVec;
use program::{
    Access, BinaryOp, Callee, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, Op, Program, Scalar, Storage,
};

/// A set of locals and globals, by one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GroupId(pub u32);

pub struct Groups {
    first_local: IndexVec<FunctionId, u32>,
    first_global: u32,
    parents: Vec<u32>,
    /// With a global among its members: by group.
    shared: Vec<bool>,
    /// How many members: by group.
    members: Vec<u32>,
}

impl Groups {
    pub fn of(program: &Program) -> Groups {
        let mut count = 0;
        let first_local = program.functions.iter().map(|function| {
            count += function.locals.len() as u32;
            count - function.locals.len() as u32
        });
        let first_local = first_local.collect();
        let total = count as usize + program.globals.len();
        let parents = (0..total as u32).collect();
        let mut groups = Groups { first_local, first_global: count, parents, shared: Vec::new(), members: Vec::new() };
        for (id, function) in program.functions.iter_enumerated() {
            function.edges.iter().for_each(|edge| groups.relate(program, id, function, &edge.op));
        }
        groups.shared = vec![false; total];
        groups.members = vec![0; total];
        for member in 0..total {
            let root = groups.root(member as u32) as usize;
            groups.shared[root] |= member >= count as usize;
            groups.members[root] += 1;
        }
        groups
    }

    pub fn of_local(&self, function: FunctionId, local: LocalId) -> GroupId {
        GroupId(self.root(self.local(function, local)))
    }

    pub fn of_global(&self, global: GlobalId) -> GroupId {
        GroupId(self.root(self.global(global)))
    }

    pub fn is_shared(&self, group: GroupId) -> bool {
        self.shared[group.0 as usize]
    }

    pub fn members(&self, group: GroupId) -> u32 {
        self.members[group.0 as usize]
    }

    fn local(&self, function: FunctionId, local: LocalId) -> u32 {
        self.first_local[function] + local.0
    }

    fn global(&self, global: GlobalId) -> u32 {
        self.first_global + global.0
    }

    fn root(&self, mut member: u32) -> u32 {
        while self.parents[member as usize] != member {
            member = self.parents[member as usize];
        }
        member
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// A truth value is one bit: where it lies does not matter. A pointer counts as what it leads to.
    fn is_number(&self, function: &Function, local: LocalId) -> bool {
        matches!(function.locals[local].storage, Storage::Plain(Scalar::Int(2..=64) | Scalar::Pointer(_)))
    }

    fn relate(&mut self, program: &Program, id: FunctionId, function: &Function, op: &Op) {
        match op {
            Op::Assume(condition) => {
                self.relate_parts(id, function, *condition);
            }
            Op::Assign(to, value) => self.relate_local(id, function, *to, *value),
            Op::Load { to, from } => self.relate_access(id, function, *to, from),
            Op::Store { to, value } => {
                let inside = self.relate_parts(id, function, *value);
                if let (Some(object), Some(local)) = (self.relate_parts(id, function, to.address), inside) {
                    self.join(object, local);
                }
            }
            Op::Modify(modify) => {
                self.relate_access(id, function, modify.old, &modify.access);
                self.relate_local(id, function, modify.old, modify.new);
            }
            Op::CompareExchange(exchange) => {
                self.relate_access(id, function, exchange.old, &exchange.access);
                self.relate_local(id, function, exchange.old, exchange.expected);
                self.relate_local(id, function, exchange.old, exchange.desired);
            }
            Op::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return };
                let target = &program.functions[callee];
                for (param, arg) in target.params.iter().zip(&call.args) {
                    if let Some(local) = self.relate_parts(id, function, *arg)
                        && self.is_number(target, *param)
                    {
                        self.join(self.local(callee, *param), local);
                    }
                }
                if let (Some(to), Some(result)) = (call.to, target.result)
                    && self.is_number(function, to)
                {
                    self.join(self.local(id, to), self.local(callee, result));
                }
            }
            _ => {}
        }
    }

    fn relate_local(&mut self, id: FunctionId, function: &Function, to: LocalId, value: ExprId) {
        if let Some(other) = self.relate_parts(id, function, value)
            && self.is_number(function, to)
        {
            self.join(self.local(id, to), other);
        }
    }

    fn relate_access(&mut self, id: FunctionId, function: &Function, local: LocalId, access: &Access) {
        if let Some(object) = self.relate_parts(id, function, access.address)
            && self.is_number(function, local)
        {
            self.join(object, self.local(id, local));
        }
    }

    /// Joins what is computed or compared inside an expression; one local that the value is made of.
    fn relate_parts(&mut self, id: FunctionId, function: &Function, expr: ExprId) -> Option<u32> {
        match function.exprs[expr].kind {
            ExprKind::Local(local) => self.is_number(function, local).then(|| self.local(id, local)),
            ExprKind::LocalAddress(local) => Some(self.local(id, local)),
            ExprKind::GlobalAddress(global) => Some(self.global(global)),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.relate_parts(id, function, a),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.relate_parts(id, function, a), self.relate_parts(id, function, b));
                // An index has little to do with what it selects.
                if op == BinaryOp::PtrAdd {
                    return x;
                }
                if let (Some(x), Some(y)) = (x, y) {
                    self.join(x, y);
                }
                // Nor has a variable that holds a truth value with the operands of the comparison.
                if function.exprs[expr].ty == Scalar::BOOL { None } else { x.or(y) }
            }
            ExprKind::If(condition, a, b) => {
                self.relate_parts(id, function, condition);
                let (x, y) = (self.relate_parts(id, function, a), self.relate_parts(id, function, b));
                if let (Some(x), Some(y)) = (x, y) {
                    self.join(x, y);
                }
                x.or(y)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Idx;
    use program::{FunctionBuilder, LocalKind};

    use super::*;

    #[test]
    fn what_is_compared_lies_together() {
        let mut types = program::Types::default();
        let int = Scalar::Int(32);
        let ty = types.intern(program::Type::Scalar { scalar: int, signed: true, name: "int".into() });
        let mut f = FunctionBuilder::new("f", base::Span::NONE);
        let mut local = |name: &str| {
            let storage = Storage::Plain(int);
            let kind = LocalKind::Named;
            f.locals.push(program::Local { name: name.into(), ty, storage, kind, span: base::Span::NONE })
        };
        let (a, b, c) = (local("a"), local("b"), local("c"));
        let (x, y) = (f.expr(ExprKind::Local(a), int), f.expr(ExprKind::Local(b), int));
        let less = f.expr(ExprKind::Binary(BinaryOp::SLt, x, y), Scalar::BOOL);
        let end = f.location();
        f.edge(f.entry, Op::Assume(less), end, base::Span::NONE);
        let function = f.finish();
        let mut groups = Groups {
            first_local: [0].into_iter().collect(),
            first_global: 3,
            parents: vec![0, 1, 2],
            shared: vec![false; 3],
            members: vec![1; 3],
        };
        let id = FunctionId::from_usize(0);
        groups.relate_parts(id, &function, less);
        assert_eq!(groups.of_local(id, a), groups.of_local(id, b));
        assert_ne!(groups.of_local(id, a), groups.of_local(id, c));
    }
}

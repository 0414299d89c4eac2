//! What can be said of an edge without a look at any state: what it calls and touches, and which events it may be.

use program::{
    Edge, ExprKind, Extent, Function, FunctionId, LocalId, MODEL_PREFIX, Mode, Op, Overwrite, Program, Type,
};
use semantics::Base;

use crate::automaton::{Callee, Trigger};
use crate::primitive;

/// How many parameters lowering put before C's own, and those.
pub fn parameters<'f>(program: &Program, function: &'f Function) -> (usize, &'f [LocalId]) {
    let made_up = |local: Option<&LocalId>, name: &str| {
        local.is_some_and(|local| {
            let local = &function.locals[*local];
            let plain = matches!(&program.types[local.ty], Type::Scalar { name, .. } if **name == *"pointer");
            plain && *local.name == *name
        })
    };
    let hidden = usize::from(function.result.is_none() && made_up(function.params.first(), "result"));
    let last = function.params.len() - usize::from(made_up(function.params.last(), "variadic"));
    (hidden, &function.params[hidden..last.max(hidden)])
}

/// Memory that an edge reads or writes: bytes before and from the address on.
#[derive(Clone, Copy)]
pub struct Touched {
    pub address: program::ExprId,
    pub before: u64,
    pub length: u64,
    pub mode: Mode,
}

impl Touched {
    pub fn is(&self, write: bool) -> bool {
        if write { self.mode.writes() } else { self.mode.reads() }
    }
}

/// More bytes than any object has.
const FAR: u64 = 1 << 40;

pub fn accesses(op: &Op) -> Vec<Touched> {
    let mut touched = Vec::new();
    op.accesses(&mut |access| {
        let (before, length) = match access.extent {
            Extent::Scalar(scalar) => {
                let start = scalar.bits.as_ref().map_or(0, |bits| u32::from(bits.start));
                (0, u64::from((start + scalar.ty.bits()).div_ceil(8)).max(1))
            }
            Extent::Elements(Overwrite { all: true, .. }) => (FAR, FAR),
            Extent::Elements(overwrite) => (0, overwrite.size),
            Extent::Block | Extent::Range => return,
        };
        touched.push(Touched { address: access.address, before, length, mode: access.mode });
    });
    touched
}

/// Could the transition's trigger match this edge, before it is taken (or behind it)? Without a look at any state.
pub fn concerns(program: &Program, id: FunctionId, edge: &Edge, trigger: &Trigger, behind: bool) -> bool {
    let function = &program.functions[id];
    if edge.op == Op::End(program::End::Cut) {
        return false;
    }
    // What models and made-up bodies do inside is no call of the user's.
    let inside = !function.defined || function.name.starts_with(MODEL_PREFIX);
    let is_written = |callee: &Callee| {
        let written = primitive::written(program, edge);
        !inside && written == callee.name && *function.name != *written
    };
    match trigger {
        Trigger::Call { callee, .. } if !behind => match &edge.op {
            _ if inside => false,
            Op::Call(call) => match call.callee {
                program::Callee::Indirect(_) => !callee.functions.is_empty(),
                program::Callee::Direct(called) => {
                    let name = &program.functions[called].name;
                    match name.starts_with(MODEL_PREFIX) {
                        true => is_written(callee) || callee.functions.contains(&called) && **name == *callee.name,
                        false => callee.functions.contains(&called),
                    }
                }
            },
            op => callee.primitive.is_some_and(|primitive| primitive.is_call(op) && is_written(callee)),
        },
        Trigger::Return { callee, .. } => match behind {
            false => edge.op == Op::Return && callee.functions.contains(&id),
            true => callee.primitive.is_some_and(|primitive| primitive.is_return(&edge.op) && is_written(callee)),
        },
        Trigger::Access { write, range } if !behind => accesses(&edge.op)
            .iter()
            .any(|access| access.is(*write) && may_lead_to(function, access.address, range.start.base)),
        Trigger::End if !behind => matches!(edge.op, Op::End(_)),
        _ => false,
    }
}

/// False if the address is that of something else by what stands there.
fn may_lead_to(function: &Function, address: program::ExprId, base: Base) -> bool {
    match function.exprs[address].kind {
        ExprKind::GlobalAddress(global) => base == Base::Object(semantics::ObjectId(global.0)),
        ExprKind::LocalAddress(_) | ExprKind::FunctionAddress(_) => false,
        ExprKind::Binary(program::BinaryOp::PtrAdd, pointer, _) => may_lead_to(function, pointer, base),
        _ => true,
    }
}

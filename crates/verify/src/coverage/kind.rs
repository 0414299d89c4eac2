//! The operations of a program that a property is about.

use base::Span;
use program::{
    Allocation, BarrierOp, BinaryOp, ConditionOp, Edge, EdgeId, ExprId, ExprKind, Extent, Function, FunctionId,
    Location, MutexOp, Op, Program, RwLockOp, SemaphoreOp, ThreadOp, UnaryOp,
};
use semantics::ThreadId;
use spec::{Automaton, Event, Moment};

use super::mentioned::operands;
use super::{Words, errors};
use crate::{Target, Targets};

/// A location, with the source position of the operation that is next there.
pub type Place = ((FunctionId, Location), Span);

pub enum Kind<'k> {
    Errors,
    Shared,
    Waits,
    Signed,
    Memory,
    Allocations,
    Monitored(&'k Automaton),
}

impl<'k> Kind<'k> {
    /// `None` if no edge shows what the targets are about.
    pub fn of(targets: Targets, specification: Option<&'k Automaton>) -> Option<Kind<'k>> {
        match targets.iter().next()? {
            Target::Error => Some(Kind::Errors),
            Target::Race => Some(Kind::Shared),
            Target::Deadlock => Some(Kind::Waits),
            Target::Overflow => Some(Kind::Signed),
            Target::InvalidAccess | Target::InvalidFree | Target::Lost => Some(Kind::Memory),
            Target::NotFreed => Some(Kind::Allocations),
            Target::Specification => specification.filter(|a| a.sees_edges_only()).map(Kind::Monitored),
            Target::Endless | Target::Undefined => None,
        }
    }

    pub fn words(&self) -> Words {
        let plain = |one, several| Words { one, several, none: one };
        match self {
            Kind::Errors => Words {
                one: "branch that decides an error",
                several: "branches that decide an error",
                none: "error call or assertion",
            },
            Kind::Shared => plain("access to shared memory", "accesses to shared memory"),
            Kind::Waits => plain("operation that waits", "operations that wait"),
            Kind::Signed => plain("signed operation", "signed operations"),
            Kind::Memory => plain("dereference, allocation or free", "dereferences, allocations and frees"),
            Kind::Allocations => plain("allocation", "allocations"),
            Kind::Monitored(_) => {
                plain("step that the specification looks at", "steps that the specification looks at")
            }
        }
    }

    /// All of the kind in these functions.
    pub fn places(&self, program: &Program, functions: &[FunctionId]) -> Vec<Place> {
        if let Kind::Errors = self {
            return errors::deciding(program, functions);
        }
        let edges = functions.iter().flat_map(|id| program.functions[*id].edges.iter_enumerated().map(|e| (*id, e)));
        let meant = edges.filter(|(id, (edge, e))| self.means(program, (*id, *edge), e));
        meant.map(|(id, (_, edge))| ((id, edge.from), edge.span)).collect()
    }

    fn means(&self, program: &Program, (id, edge): (FunctionId, EdgeId), e: &Edge) -> bool {
        let function = &program.functions[id];
        let is_allocation = || matches!(&e.op, Op::Allocate(allocate) if is_of_heap(allocate.kind));
        match self {
            Kind::Errors => matches!(e.op, Op::Error(_)),
            Kind::Shared => addresses(&e.op).any(|address| may_be_shared(program, function, address)),
            Kind::Waits => matches!(&e.op, Op::Thread(op) if waits(op)),
            Kind::Signed => is_signed(function, &e.op),
            Kind::Memory => {
                let derefers = addresses(&e.op).any(|address| !is_plain(function, address));
                derefers || is_allocation() || matches!(e.op, Op::Free(_) | Op::Library(_))
            }
            Kind::Allocations => is_allocation(),
            Kind::Monitored(automaton) => {
                let observes = |moment| automaton.concerns(&Event { thread: ThreadId(0), moment });
                observes(Moment::Before(id, edge)) || observes(Moment::After(id, edge))
            }
        }
    }
}

fn is_of_heap(kind: Allocation) -> bool {
    matches!(kind, Allocation::Heap | Allocation::HeapZeroed | Allocation::Realloc(_))
}

/// Of what an edge accesses.
fn addresses(op: &Op) -> impl Iterator<Item = ExprId> {
    let mut addresses = Vec::new();
    op.accesses(&mut |access| {
        if let (Extent::Scalar(_) | Extent::Block, false) = (access.extent, matches!(op, Op::Thread(_))) {
            addresses.push(access.address);
        }
    });
    addresses.into_iter()
}

/// Not if it is, by its name, a variable that only one thread has, or a string.
fn may_be_shared(program: &Program, function: &Function, address: ExprId) -> bool {
    match function.exprs[address].kind {
        ExprKind::GlobalAddress(id) => !program.globals[id].thread_local && !program.globals[id].read_only,
        ExprKind::LocalAddress(_) => false,
        ExprKind::Binary(BinaryOp::PtrAdd, pointer, _) => may_be_shared(program, function, pointer),
        _ => true,
    }
}

/// A variable, or a member of it.
fn is_plain(function: &Function, address: ExprId) -> bool {
    match function.exprs[address].kind {
        ExprKind::GlobalAddress(_) | ExprKind::LocalAddress(_) => true,
        ExprKind::Binary(BinaryOp::PtrAdd, pointer, offset) => {
            matches!(function.exprs[offset].kind, ExprKind::Const(_)) && is_plain(function, pointer)
        }
        _ => false,
    }
}

/// May a thread be kept there for ever?
fn waits(op: &ThreadOp) -> bool {
    match op {
        ThreadOp::Join { .. } | ThreadOp::OnceBegin { .. } => true,
        ThreadOp::Mutex { op, .. } => *op == MutexOp::Lock,
        ThreadOp::RwLock { op, .. } => matches!(op, RwLockOp::ReadLock | RwLockOp::WriteLock),
        ThreadOp::Condition { op, .. } => *op == ConditionOp::Wake { timed: false },
        ThreadOp::Barrier { op, .. } => *op == BarrierOp::Pass,
        ThreadOp::Semaphore { op, .. } => *op == SemaphoreOp::Wait,
        _ => false,
    }
}

/// Does an edge evaluate what may leave the range of a signed type?
fn is_signed(function: &Function, op: &Op) -> bool {
    use BinaryOp::{SAdd, SDiv, SMul, SRem, SSub};
    let mut work: Vec<ExprId> = Vec::new();
    op.operands(&mut |expr, _| work.push(expr));
    while let Some(expr) = work.pop() {
        let kind = function.exprs[expr].kind;
        if matches!(kind, ExprKind::Unary(UnaryOp::SNeg, _) | ExprKind::Binary(SAdd | SSub | SMul | SDiv | SRem, ..)) {
            return true;
        }
        work.extend(operands(kind));
    }
    false
}

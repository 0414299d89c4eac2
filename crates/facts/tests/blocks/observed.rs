//! What a block needs to know, seen in the states of a program: which next steps of two threads are ever dependent.

use facts::blocks::{Circumstances, may_fail};
use program::{
    Allocation, BarrierOp, Callee, ConditionOp, EdgeId, ExprKind, FunctionId, LocalId, MutexOp, Op, Program, RwLockOp,
    SemaphoreOp, Storage, ThreadOp,
};
use rustc_hash::FxHashSet;
use semantics::{Base, LockKey, LockKind, Machine, Next, ObjectId, State, ThreadId, Value};

pub struct Observed<'p> {
    program: &'p Program,
    /// Functions whose address occurs in the program.
    addressed: Vec<FunctionId>,
    contended: FxHashSet<(FunctionId, EdgeId)>,
    addresses_seen: bool,
}

impl Circumstances for Observed<'_> {
    fn callees(&self, function: FunctionId, edge: EdgeId) -> Vec<FunctionId> {
        match &self.program.functions[function].edges[edge].op {
            Op::Call(call) => match call.callee {
                Callee::Direct(callee) => vec![callee],
                Callee::Indirect(_) => self.addressed.clone(),
            },
            _ => Vec::new(),
        }
    }

    fn starts(&self) -> Vec<FunctionId> {
        self.addressed.iter().copied().chain([self.program.entry]).collect()
    }

    fn is_contended(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.addresses_seen || self.contended.contains(&(function, edge))
    }

    fn may_fail(&self, function: FunctionId, edge: EdgeId) -> bool {
        let function = &self.program.functions[function];
        may_fail(self.program, function, &function.edges[edge])
    }
}

impl<'p> Observed<'p> {
    pub fn new(machine: &Machine<'p>, states: &[State]) -> Observed<'p> {
        let mut observed = Observed {
            program: machine.program,
            addressed: addressed(machine.program),
            contended: FxHashSet::default(),
            addresses_seen: states.iter().any(|state| state.addresses_seen),
        };
        for state in states {
            let pending: Vec<_> = state.thread_ids().filter_map(|thread| pending(machine, state, thread)).collect();
            for (i, first) in pending.iter().enumerate() {
                for second in pending[i + 1..].iter().filter(|second| are_dependent(first, second)) {
                    observed.contended.extend([first.place, second.place]);
                }
            }
        }
        observed
    }

    /// Were two next steps dependent, whatever the program knows of addresses?
    pub fn is_seen_contended(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.contended.contains(&(function, edge))
    }
}

fn addressed(program: &Program) -> Vec<FunctionId> {
    let exprs = program.functions.iter().flat_map(|function| function.exprs.iter());
    let in_code = exprs.filter_map(|expr| match expr.kind {
        ExprKind::FunctionAddress(id) => Some(id),
        _ => None,
    });
    let images = program.globals.iter().filter_map(|global| match &global.init {
        program::GlobalInit::Image(image) => Some(&image.pointers),
        _ => None,
    });
    let in_data = images.flatten().filter_map(|(_, address)| match address.base {
        program::AddressBase::Function(id) => Some(id),
        program::AddressBase::Global(_) => None,
    });
    let mut all: Vec<_> = in_code.chain(in_data).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A thread's next step, though it may be kept waiting.
struct Pending {
    place: (FunctionId, EdgeId),
    waits: bool,
    ranges: Vec<Range>,
    uses: Vec<(Subject, Manner)>,
}

struct Range {
    object: ObjectId,
    start: i64,
    end: i64,
    write: bool,
    /// The object begins or ends.
    whole: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Lock(LockKey),
    Thread(ThreadId),
    Keys,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Acquire,
    Release,
    /// As nobody else should use it at the same time.
    Alone,
}

fn are_dependent(a: &Pending, b: &Pending) -> bool {
    let overlap = |x: &Range, y: &Range| x.object == y.object && x.start < y.end && y.start < x.end;
    let ranges = a.ranges.iter().any(|x| b.ranges.iter().any(|y| overlap(x, y) && (x.write || y.write)));
    let ends = |x: &Pending, y: &Pending| {
        let is_in = |range: &Range, subject: Subject| match subject {
            Subject::Lock(key) => range.whole && key.at.base == Base::Object(range.object),
            _ => false,
        };
        x.ranges.iter().any(|range| y.uses.iter().any(|(subject, _)| is_in(range, *subject)))
    };
    let uses = a.uses.iter().any(|(subject, one)| {
        let same = b.uses.iter().filter(|(other, _)| other == subject);
        let is_mutex = matches!(subject, Subject::Lock(key) if key.kind == LockKind::Mutex);
        let can_both = is_mutex && !a.waits && !b.waits;
        let is_bad = |other: Manner| {
            let releases = *one == Manner::Release || other == Manner::Release;
            *one == Manner::Alone || other == Manner::Alone || can_both && releases
        };
        same.into_iter().any(|(_, other)| is_bad(*other))
    });
    ranges || uses || ends(a, b) || ends(b, a)
}

fn pending(machine: &Machine<'_>, state: &State, thread: ThreadId) -> Option<Pending> {
    let next = machine.next(state, thread);
    let frame = match next {
        Next::Finished => return None,
        _ => state.frame(thread),
    };
    let function = machine.function(frame.function);
    let edge = next.edge().or_else(|| function.edges_from(frame.location).next().map(|(id, _)| id))?;
    let mut pending =
        Pending { place: (frame.function, edge), waits: next.edge().is_none(), ranges: Vec::new(), uses: Vec::new() };
    let op = &function.edges[edge].op;
    let gives_back =
        matches!(op, Op::Free(_)) || matches!(op, Op::Allocate(a) if matches!(a.kind, Allocation::Realloc(_)));
    pending.ranges.extend(machine.touches(state, thread).iter().map(|touch| Range {
        object: touch.object,
        start: touch.start,
        end: touch.start.saturating_add_unsigned(touch.length),
        write: touch.write,
        whole: gives_back,
    }));
    let ended = ended_objects(machine, state, thread, op);
    pending.ranges.extend(ended.into_iter().map(|object| Range {
        object,
        start: i64::MIN,
        end: i64::MAX,
        write: true,
        whole: true,
    }));
    let frames = state.thread(thread).frames.len();
    match op {
        Op::Thread(op) => pending.uses = uses(machine, state, thread, op),
        Op::Return if frames == state.thread(thread).left + 1 => pending.uses.push((Subject::Keys, Manner::Acquire)),
        _ => {}
    }
    Some(pending)
}

/// Objects of frames that a step makes anew or ends.
fn ended_objects(machine: &Machine<'_>, state: &State, thread: ThreadId, op: &Op) -> Vec<ObjectId> {
    let object = |value: &Value| match value.pointer()?.base {
        Base::Object(object) => Some(object),
        _ => None,
    };
    let of_local = |local: LocalId| object(&state.frame(thread).locals[local.0 as usize]);
    let of_frame = |frame: &semantics::Frame| {
        let locals = machine.function(frame.function).locals.iter().zip(&frame.locals);
        let in_memory = locals.filter(|(local, _)| local.storage == Storage::Memory);
        in_memory.filter_map(|(_, value)| object(value)).chain(frame.allocated.iter().copied()).collect::<Vec<_>>()
    };
    let of_thread = || {
        let own = state.thread(thread).thread_locals.iter().map(|(_, object)| *object);
        state.thread(thread).frames.iter().flat_map(|frame| of_frame(frame)).chain(own).collect()
    };
    match op {
        Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => of_local(*local).into_iter().collect(),
        Op::Allocate(allocate) => match allocate.kind {
            Allocation::Variable(local) => of_local(local).into_iter().collect(),
            _ => Vec::new(),
        },
        Op::Return if state.thread(thread).frames.len() == state.thread(thread).left + 1 => of_thread(),
        Op::Return => of_frame(state.frame(thread)),
        Op::Thread(op) if matches!(**op, ThreadOp::Exit { .. }) => of_thread(),
        _ => Vec::new(),
    }
}

fn uses(machine: &Machine<'_>, state: &State, thread: ThreadId, op: &ThreadOp) -> Vec<(Subject, Manner)> {
    let lock = |expr, kind, manner| {
        let key = machine.lock_at(state, thread, expr, kind);
        key.map(|key| (Subject::Lock(key), manner)).into_iter().collect()
    };
    match op {
        ThreadOp::Mutex { op, mutex, .. } => {
            let manner = match op {
                MutexOp::Lock => Manner::Acquire,
                MutexOp::Unlock => Manner::Release,
                _ => Manner::Alone,
            };
            lock(*mutex, LockKind::Mutex, manner)
        }
        ThreadOp::Condition { op, condition, .. } => {
            let mut uses: Vec<_> = lock(*condition, LockKind::Condition, Manner::Acquire);
            if let ConditionOp::Sleep { mutex } = op {
                uses.extend(lock(*mutex, LockKind::Mutex, Manner::Release));
            }
            uses
        }
        ThreadOp::RwLock { op, lock: at, .. } => {
            let manner = match op {
                RwLockOp::ReadLock | RwLockOp::WriteLock => Manner::Acquire,
                RwLockOp::Unlock => Manner::Release,
                _ => Manner::Alone,
            };
            lock(*at, LockKind::RwLock, manner)
        }
        ThreadOp::Semaphore { op, semaphore, .. } => {
            let manner = match op {
                SemaphoreOp::Wait => Manner::Acquire,
                SemaphoreOp::Post => Manner::Release,
                _ => Manner::Alone,
            };
            lock(*semaphore, LockKind::Semaphore, manner)
        }
        ThreadOp::Barrier { op, barrier, .. } => match op {
            BarrierOp::Arrive | BarrierOp::Pass => lock(*barrier, LockKind::Barrier, Manner::Acquire),
            _ => lock(*barrier, LockKind::Barrier, Manner::Alone),
        },
        ThreadOp::OnceBegin { control, .. } => lock(*control, LockKind::Once, Manner::Acquire),
        ThreadOp::OnceEnd { control } => lock(*control, LockKind::Once, Manner::Release),
        ThreadOp::Join { thread: other, .. } | ThreadOp::Detach { thread: other, .. } => {
            let other = machine.thread_at(state, thread, *other);
            other.map(|other| (Subject::Thread(other), Manner::Alone)).into_iter().collect()
        }
        ThreadOp::KeyDelete { .. } => vec![(Subject::Keys, Manner::Alone)],
        ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } | ThreadOp::Exit { .. } => {
            vec![(Subject::Keys, Manner::Acquire)]
        }
        _ => Vec::new(),
    }
}

//! Steps made in place, with transition caching: control that passes along an edge, atomic sections, and operations on locks.
//!
//! What an operation on a lock does to the locks depends on the operation, the thread, the lock that is named, and the locks as they
//! are. So it is cached by these, and computed the first time by [`super::transfer`]. Operations that look at more (which
//! kind of lock is made, who waits for a signal) are not among them.

use base::Idx;
use program::{Edge, EdgeId, ExprId, FunctionId, MutexOp, Op, RwLockOp, SemaphoreOp, ThreadOp};
use semantics::{Base, LockKey, LockKind, Pointer};

use super::transfer::Transfer;
use super::{ControlState, Locks, Place, Threads};
use crate::analysis::Analysis;
use crate::intern::Shared;
use crate::step::{Advance, Control, Known, Post, Queries, Step};

/// What a step in place changes.
pub struct Before {
    place: Place,
    atomic: Option<u32>,
    locks: Option<Shared<Locks>>,
}

impl Before {
    pub(super) fn restore(self, state: &mut ControlState, thread: u32) {
        state.threads[thread as usize] = self.place;
        state.atomic = self.atomic;
        if let Some(locks) = self.locks {
            state.locks = locks;
        }
    }
}

/// An operation on a lock, by all that its effect depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LockStep {
    function: FunctionId,
    edge: EdgeId,
    thread: u32,
    locks: u32,
    key: LockKey,
}

impl<'p> Threads<'p> {
    pub(super) fn advance_in_place(
        &mut self,
        state: &mut ControlState,
        step: &Step,
        others: &mut dyn Queries,
    ) -> Option<Advance<Before>> {
        let (me, program) = (step.thread, self.program);
        let edge = &program.functions[step.function].edges[step.edge];
        let (mut control, mut keeps_names) = (Control::Plain, true);
        let mut before = Before { place: state.threads[me as usize], atomic: state.atomic, locks: None };
        match &edge.op {
            Op::End(_) | Op::Unsupported(_) => return None,
            Op::Call(_) | Op::Return => control = self.leave_function(state, step, edge, others)?,
            Op::Thread(op) if matches!(**op, ThreadOp::Exit { .. }) => {
                control = self.leave_function(state, step, edge, others)?;
            }
            Op::Thread(op) => {
                let (address, size, kind) = one_lock(op)?;
                let key = living_lock(step, address, size, kind, others)?;
                let locks = self.locks_behind(state, step, key, others)?;
                before.locks = Some(std::mem::replace(&mut state.locks, locks));
                control = Control::Yield(0);
                keeps_names = self.is_global(key);
            }
            _ => {}
        }
        if matches!(control, Control::Plain | Control::Yield(_)) {
            self.pass(state, me, edge);
        }
        Some(Advance { control, before, keeps_names })
    }

    /// Calls and returns change nothing but the thread's place, and whether it is in its section.
    fn leave_function(
        &mut self,
        state: &mut ControlState,
        step: &Step,
        edge: &'p Edge,
        others: &mut dyn Queries,
    ) -> Option<Control> {
        let before = Before { place: state.threads[step.thread as usize], atomic: state.atomic, locks: None };
        let mut post = Post::default();
        let done = Transfer { threads: self, state, step, others, post: &mut post }.execute(edge);
        match done {
            Ok(Some(control)) if post.findings.is_empty() => Some(control),
            _ => {
                before.restore(state, step.thread);
                None
            }
        }
    }

    /// The thread passes along an edge.
    fn pass(&mut self, state: &mut ControlState, thread: u32, edge: &Edge) {
        self.resume_section(state, thread);
        state.threads[thread as usize].location = edge.to;
        match edge.op {
            Op::AtomicBegin => self.begin_atomic(state, thread),
            Op::AtomicEnd => self.end_atomic(state, thread),
            _ => {}
        }
    }

    /// Globals keep their names, wherever they are mentioned.
    fn is_global(&self, key: LockKey) -> bool {
        super::object_of(&key).is_none_or(|object| object.index() < self.program.globals.len())
    }

    /// The locks behind an operation that yields 0 and does nothing else.
    fn locks_behind(
        &mut self,
        state: &mut ControlState,
        step: &Step,
        key: LockKey,
        others: &mut dyn Queries,
    ) -> Option<Shared<Locks>> {
        let locks = self.tables.locks.number(&mut state.locks);
        let lock_step = LockStep { function: step.function, edge: step.edge, thread: step.thread, locks, key };
        let number = match self.cache.get(&lock_step) {
            Some(number) => number,
            None => {
                let number = self.find_locks_behind(state, step, others);
                self.cache.insert(lock_step, number);
                number
            }
        };
        Some(self.tables.locks.get(number?).clone())
    }

    fn find_locks_behind(&mut self, state: &ControlState, step: &Step, others: &mut dyn Queries) -> Option<u32> {
        let mut post = Post::default();
        self.transfer(state.clone(), step, others, &mut post).ok()?;
        let is_plain = post.findings.is_empty() && !post.ends && post.missing.is_none() && post.errors.is_empty();
        let [(after, taken)] = &mut post.successors[..] else { return None };
        let expected = Step { control: Control::Yield(0), ..*step };
        // Nothing else changes, but for the thread's location.
        let location = after.threads[step.thread as usize].location;
        let mut threads = state.threads.clone();
        threads[step.thread as usize].location = location;
        let is_same = threads == after.threads && after.keys.is(&state.keys);
        (is_plain && is_same && *taken == expected).then(|| self.tables.locks.number(&mut after.locks))
    }
}

fn living_lock(step: &Step, address: ExprId, size: u64, kind: LockKind, others: &mut dyn Queries) -> Option<LockKey> {
    match others.value(step.thread, step.function, address) {
        Known::Pointer(at @ Pointer { base: Base::Object(_), .. }) if others.is_alive(at, size) => {
            Some(LockKey { kind, at })
        }
        _ => None,
    }
}

/// The lock of an operation that looks at this lock only, and its size.
fn one_lock(op: &ThreadOp) -> Option<(ExprId, u64, LockKind)> {
    match op {
        ThreadOp::Mutex { op: MutexOp::Init { .. }, .. } | ThreadOp::Semaphore { op: SemaphoreOp::Init { .. }, .. } => {
            None
        }
        ThreadOp::RwLock { op: RwLockOp::Init, .. } => None,
        ThreadOp::Mutex { mutex, size, .. } => Some((*mutex, *size, LockKind::Mutex)),
        ThreadOp::RwLock { lock, size, .. } => Some((*lock, *size, LockKind::RwLock)),
        ThreadOp::Semaphore { semaphore, size, .. } => Some((*semaphore, *size, LockKind::Semaphore)),
        _ => None,
    }
}

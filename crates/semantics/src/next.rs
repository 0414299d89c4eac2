//! What a thread would do next: since every choice that a condition needs is made in advance, that is at most one edge.

use base::Idx;
use program::{BarrierOp, ConditionOp, EdgeId, ExprId, Op, ThreadOp};

use crate::concrete::Concrete;
use crate::eval::eval;
use crate::locks::{self, lock_key, waits_in_a_circle};
use crate::state::{LockKey, LockKind, State, ThreadLife};
use crate::step::Machine;
use crate::value::{Base, Pointer, ThreadId, Value};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    Step(EdgeId),
    /// A waiter on a condition variable may wake without a signal. Does not count against a deadlock.
    Spurious(EdgeId),
    /// Waits for these threads to do something; for none in particular if empty.
    Blocked(Vec<ThreadId>),
    Finished,
}

impl Next {
    pub fn edge(&self) -> Option<EdgeId> {
        match self {
            Next::Step(edge) | Next::Spurious(edge) => Some(*edge),
            Next::Blocked(_) | Next::Finished => None,
        }
    }

    fn waits(&self) -> &[ThreadId] {
        match self {
            Next::Blocked(on) => on,
            _ => &[],
        }
    }
}

/// What all threads would do next, kept from state to state of one run: most of it changes only by a thread's own steps.
#[derive(Default)]
pub(crate) struct Lookout {
    pub next: Vec<Next>,
    /// What others do has no influence.
    certain: Vec<bool>,
}

impl Lookout {
    /// Looks again after a step of `moved`.
    pub fn update(&mut self, machine: &Machine<'_>, state: &State, moved: ThreadId) {
        for thread in state.thread_ids() {
            let i = thread.index();
            if i == self.next.len() {
                let (next, certain) = machine.look(state, thread);
                self.next.push(next);
                self.certain.push(certain);
            } else if thread == moved || !self.certain[i] {
                (self.next[i], self.certain[i]) = machine.look(state, thread);
            }
        }
    }
}

impl Machine<'_> {
    pub fn next(&self, state: &State, thread: ThreadId) -> Next {
        self.look(state, thread).0
    }

    /// For every thread.
    pub(crate) fn next_of_all(&self, state: &State) -> Vec<Next> {
        state.thread_ids().map(|thread| self.next(state, thread)).collect()
    }

    /// What a thread would do next, and whether that stays so until it moves itself: conditions look at its own locals only.
    fn look(&self, state: &State, thread: ThreadId) -> (Next, bool) {
        if state.thread(thread).life == ThreadLife::Finished {
            return (Next::Finished, true);
        }
        let frame = state.frame(thread);
        let function = self.function(frame.function);
        let mut edges = function.edges_from(frame.location);
        let Some((first, edge)) = edges.next() else { return (Next::Blocked(Vec::new()), true) };
        match &edge.op {
            Op::Assume(_) => (Next::Step(self.branch(state, thread)), true),
            Op::Thread(op) => (self.next_thread_op(state, thread, first, op), false),
            _ => (Next::Step(first), true),
        }
    }

    /// The branch whose condition holds. One whose evaluation faults is taken too: executing it shows the fault.
    fn branch(&self, state: &State, thread: ThreadId) -> EdgeId {
        let frame = state.frame(thread);
        let function = self.function(frame.function);
        let mut last = None;
        for (id, edge) in function.edges_from(frame.location) {
            let Op::Assume(condition) = edge.op else { return id };
            let mut domain = Concrete::new(state, thread, self.program.machine.pointer_bits);
            match eval(&mut domain, function, condition) {
                Ok(Value::Bits(0)) => last = Some(id),
                _ => return id,
            }
        }
        last.expect("a location has an edge")
    }

    /// The value that an expression has in the running frame of a thread, for looking only; `None` if it is not chosen yet.
    pub fn peek(&self, state: &State, thread: ThreadId, expr: ExprId) -> Option<Value> {
        let function = self.function(state.frame(thread).function);
        let mut domain = Concrete::new(state, thread, self.program.machine.pointer_bits);
        eval(&mut domain, function, expr).ok()
    }

    /// The lock that an argument of a thread's next step names.
    pub fn lock_at(&self, state: &State, thread: ThreadId, expr: ExprId, kind: LockKind) -> Option<LockKey> {
        self.peek(state, thread, expr).map(|value| lock_key(value, kind))
    }

    fn next_thread_op(&self, state: &State, thread: ThreadId, edge: EdgeId, op: &ThreadOp) -> Next {
        let waits = match op {
            ThreadOp::Join { thread: handle, .. } => self.join_waits(state, thread, *handle),
            ThreadOp::Condition { op: ConditionOp::Wake { timed }, .. } => {
                return match state.thread(thread).sleeping {
                    Some((_, false)) if !timed => Next::Spurious(edge),
                    _ => Next::Step(edge),
                };
            }
            ThreadOp::Barrier { op: BarrierOp::Pass, .. } => match state.thread(thread).at_barrier {
                Some((_, None)) => Some(Vec::new()),
                _ => None,
            },
            _ => self.lock_waits(state, thread, op),
        };
        waits.map_or(Next::Step(edge), Next::Blocked)
    }

    fn lock_waits(&self, state: &State, thread: ThreadId, op: &ThreadOp) -> Option<Vec<ThreadId>> {
        let (lock, kind) = locks::wanted(op)?;
        let key = self.lock_at(state, thread, lock, kind)?;
        locks::waits(op, state.lock(key), thread).map(<[_]>::to_vec)
    }

    fn join_waits(&self, state: &State, thread: ThreadId, handle: ExprId) -> Option<Vec<ThreadId>> {
        let other = self.thread_at(state, thread, handle)?;
        // No thread waits for one that is detached: joining it is undefined at once.
        let waits =
            other != thread && state.thread(other).life != ThreadLife::Finished && !state.thread(other).detached;
        waits.then(|| vec![other])
    }

    /// The thread that an argument of a thread's next step names.
    pub fn thread_at(&self, state: &State, thread: ThreadId, handle: ExprId) -> Option<ThreadId> {
        match self.peek(state, thread, handle)? {
            Value::Pointer(Pointer { base: Base::Thread(other), offset: 0 }) => Some(other),
            _ => None,
        }
    }

    /// The threads that may make the next step: only one inside an atomic section, unless it is blocked.
    pub fn runnable(&self, state: &State) -> Vec<(ThreadId, EdgeId)> {
        let mut steps = Vec::new();
        runnable_among(state, &self.next_of_all(state), &mut steps);
        steps
    }

    /// Is some thread not finished, and can none make a step? Or do threads wait for each other in a circle?
    pub fn is_deadlock(&self, state: &State) -> bool {
        is_deadlock(&self.next_of_all(state))
    }
}

/// See [`Machine::runnable`]. A thread blocked inside its section may find another inside one when it can go on: that one
/// finishes first. Waiting for a signal is being blocked, though the wait may end for no reason.
pub(crate) fn runnable_among(state: &State, next: &[Next], steps: &mut Vec<(ThreadId, EdgeId)>) {
    steps.clear();
    let goes_on = |thread: ThreadId| match next[thread.index()] {
        Next::Step(edge) => Some((thread, edge)),
        _ => None,
    };
    steps.extend(state.atomic.and_then(goes_on));
    if steps.is_empty() {
        steps.extend(state.thread_ids().filter(|t| state.thread(*t).atomic > 0).filter_map(goes_on));
    }
    if steps.is_empty() {
        steps.extend(state.thread_ids().filter_map(|thread| Some((thread, next[thread.index()].edge()?))));
    }
}

pub(crate) fn is_deadlock(next: &[Next]) -> bool {
    let stuck = next.iter().any(|n| *n != Next::Finished) && !next.iter().any(|n| matches!(n, Next::Step(_)));
    stuck || waits_in_a_circle(next.len(), |i| next[i].waits())
}

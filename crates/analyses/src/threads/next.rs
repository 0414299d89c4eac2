//! What threads may do next, as in [`semantics::Machine::next`]; which branch is taken is for data to say.

use program::{BarrierOp, ConditionOp, EdgeId, ExprId, Op, ThreadOp};
use semantics::locks::{self, waits_in_a_circle};
use semantics::{Base, Pointer, ThreadId};
use smallvec::{SmallVec, smallvec};

use super::transfer::lock_key;
use super::{ControlState, Threads, thread_id};
use crate::step::{Known, Queries, Unknown};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// One edge, or all branches.
    Steps(Edges),
    /// A waiter on a condition variable may wake without a signal. Does not count against a deadlock.
    Spurious(EdgeId),
    /// Waits for these threads to do something; for none in particular if empty.
    Blocked(SmallVec<[ThreadId; 2]>),
    Finished,
}

/// Edges from one location, all from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edges {
    pub first: EdgeId,
    pub last: EdgeId,
}

impl Edges {
    pub fn one(edge: EdgeId) -> Edges {
        Edges { first: edge, last: edge }
    }

    pub fn iter(self) -> impl DoubleEndedIterator<Item = EdgeId> + ExactSizeIterator {
        (self.first.0..self.last.0 + 1).map(EdgeId)
    }
}

/// A step that may be the next one of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Possible {
    pub thread: u32,
    pub edge: EdgeId,
    pub spurious: bool,
}

impl Next {
    pub fn edges(&self) -> Option<Edges> {
        match self {
            Next::Steps(edges) => Some(*edges),
            Next::Spurious(edge) => Some(Edges::one(*edge)),
            Next::Blocked(_) | Next::Finished => None,
        }
    }

    fn waits(&self) -> &[ThreadId] {
        match self {
            Next::Blocked(on) => on,
            _ => &[],
        }
    }

    fn possible(&self, thread: usize, steps: &mut Vec<Possible>) {
        let spurious = matches!(self, Next::Spurious(_));
        let edges = self.edges().into_iter().flat_map(Edges::iter);
        steps.extend(edges.map(|edge| Possible { thread: thread as u32, edge, spurious }));
    }
}

impl Threads<'_> {
    pub fn next(&self, state: &ControlState, thread: u32, others: &mut dyn Queries) -> Result<Next, Unknown> {
        if self.is_finished(state, thread) {
            return Ok(Next::Finished);
        }
        let function = &self.program.functions[self.function(state, thread)];
        let mut edges = function.edges_from(self.location(state, thread));
        let Some((first, edge)) = edges.next() else { return Ok(Next::Blocked(SmallVec::new())) };
        match &edge.op {
            Op::Assume(_) => {
                let last = edges.next_back().map_or(first, |(last, _)| last);
                Ok(Next::Steps(Edges { first, last }))
            }
            Op::Thread(op) => self.next_thread_op(state, thread, first, op, others),
            _ => Ok(Next::Steps(Edges::one(first))),
        }
    }

    pub fn next_of_all(&self, state: &ControlState, others: &mut dyn Queries) -> Result<Vec<Next>, Unknown> {
        let mut all = Vec::with_capacity(state.threads.len());
        for thread in 0..state.threads.len() as u32 {
            all.push(self.next(state, thread, others)?);
        }
        Ok(all)
    }

    fn next_thread_op(
        &self,
        state: &ControlState,
        thread: u32,
        edge: EdgeId,
        op: &ThreadOp,
        others: &mut dyn Queries,
    ) -> Result<Next, Unknown> {
        let status = self.status(state, thread);
        let waits = match op {
            ThreadOp::Join { thread: handle, .. } => self.join_waits(state, thread, *handle, others)?,
            ThreadOp::Condition { op: ConditionOp::Wake { timed }, .. } => {
                return Ok(match status.sleeping {
                    Some((_, false)) if !timed => Next::Spurious(edge),
                    _ => Next::Steps(Edges::one(edge)),
                });
            }
            ThreadOp::Barrier { op: BarrierOp::Pass, .. } => match status.at_barrier {
                Some((_, None)) => Some(SmallVec::new()),
                _ => None,
            },
            _ => self.lock_waits(state, thread, op, others)?,
        };
        Ok(waits.map_or(Next::Steps(Edges::one(edge)), Next::Blocked))
    }

    fn lock_waits(
        &self,
        state: &ControlState,
        thread: u32,
        op: &ThreadOp,
        others: &mut dyn Queries,
    ) -> Result<Option<SmallVec<[ThreadId; 2]>>, Unknown> {
        let Some((lock, kind)) = locks::wanted(op) else { return Ok(None) };
        let key = lock_key(others.value(thread, self.function(state, thread), lock), kind)?;
        Ok(locks::waits(op, state.locks.get(key), thread_id(thread)).map(SmallVec::from_slice))
    }

    fn join_waits(
        &self,
        state: &ControlState,
        thread: u32,
        handle: ExprId,
        others: &mut dyn Queries,
    ) -> Result<Option<SmallVec<[ThreadId; 2]>>, Unknown> {
        match others.value(thread, self.function(state, thread), handle) {
            Known::Pointer(Pointer { base: Base::Thread(other), offset: 0 }) => {
                let is_detached = self.status(state, other.0).detached;
                let waits = other.0 != thread && !self.is_finished(state, other.0) && !is_detached;
                Ok(waits.then(|| SmallVec::from_slice(&[other])))
            }
            Known::Unknown => Err(Unknown::Imprecise("which thread is waited for is not known")),
            _ => Ok(None),
        }
    }

    /// The steps of which one is the next: only of a thread inside an atomic section, unless it is blocked.
    pub fn runnable(&self, state: &ControlState, others: &mut dyn Queries) -> Result<Vec<Possible>, Unknown> {
        Ok(self.runnable_among(state, &self.next_of_all(state, others)?))
    }

    /// The same if it is known what all threads may do. A thread blocked inside its section may find another inside one when it can
    /// go on: that one finishes first. Waiting for a signal is being blocked, though the wait may end for no reason.
    pub fn runnable_among(&self, state: &ControlState, next: &[Next]) -> Vec<Possible> {
        let mut steps = Vec::new();
        for thread in self.enabled_among(state, next) {
            next[thread].possible(thread, &mut steps);
        }
        steps
    }

    /// The threads that make these steps.
    pub fn enabled_among(&self, state: &ControlState, next: &[Next]) -> SmallVec<[usize; 8]> {
        let goes_on = |thread: &usize| matches!(next[*thread], Next::Steps(_));
        if let Some(thread) = state.atomic.map(|thread| thread as usize).filter(goes_on) {
            return smallvec![thread];
        }
        let in_section = |thread: &usize| self.in_section(state, *thread as u32);
        let mut enabled: SmallVec<[usize; 8]> = SmallVec::new();
        enabled.extend((0..next.len()).filter(goes_on).filter(in_section));
        if enabled.is_empty() {
            enabled.extend((0..next.len()).filter(|thread| next[*thread].edges().is_some()));
        }
        enabled
    }

    /// Is some thread not finished, and can none make a step? Or do threads wait for each other in a circle?
    pub fn is_deadlock(&self, state: &ControlState, others: &mut dyn Queries) -> Result<bool, Unknown> {
        Ok(is_deadlock(&self.next_of_all(state, others)?))
    }
}

/// See [`Threads::is_deadlock`].
pub fn is_deadlock(next: &[Next]) -> bool {
    let stuck = next.iter().any(|n| *n != Next::Finished) && !next.iter().any(|n| matches!(n, Next::Steps(_)));
    stuck || waits_in_a_circle(next.len(), |i| next[i].waits())
}

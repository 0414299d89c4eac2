//! Happens-before over the synchronisation of one run, by vector clocks (Fidge, 1988; Mattern, 1989), and the accesses that it leaves
//! unordered. A past access is kept as an epoch, the thread and its own time (FastTrack: Flanagan and Freund, PLDI 2009).

use program::{BarrierOp, ConditionOp, Edge, EdgeId, FunctionId, MutexOp, Op, RwLockOp, SemaphoreOp, ThreadOp};
use rustc_hash::FxHashMap;
use semantics::{LockKind, Machine, State, ThreadId, Touch};

/// A vector clock: how far one thread knows every other to be.
type Clock = Vec<u32>;

/// What synchronises threads: a clock is released to it and acquired from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Carrier {
    Lock(semantics::LockKey),
    /// Atomic accesses to an object at an offset.
    Memory(semantics::ObjectId, i64),
}

/// A past access.
#[derive(Clone, Copy)]
struct Past {
    touch: Touch,
    thread: ThreadId,
    /// The thread's own time then: with the thread, the epoch of the access.
    time: u32,
    step: usize,
    in_section: bool,
    edge: (FunctionId, EdgeId),
}

/// Two accesses that happen-before leaves unordered: the step of the first; the second is about to be made.
#[derive(Clone, Copy, Debug)]
pub struct Unordered {
    pub step: usize,
    pub thread: ThreadId,
    pub time: u32,
    pub edges: [(FunctionId, EdgeId); 2],
}

#[derive(Default)]
pub struct HappensBefore {
    clocks: Vec<Clock>,
    carried: FxHashMap<Carrier, Clock>,
    past: FxHashMap<(semantics::ObjectId, i64), Vec<Past>>,
    pub step: usize,
}

/// Accesses are looked up by pieces of this many bytes.
const PIECE: i64 = 8;
/// A range of more pieces than this is looked up by these only: whole blocks that are freed.
const MOST_PIECES: i64 = 512;

impl HappensBefore {
    /// Takes note of a step about to be made; the first unordered access that conflicts with it, if any.
    pub fn advance(
        &mut self,
        machine: &Machine<'_>,
        state: &State,
        thread: ThreadId,
        edge_id: EdgeId,
    ) -> Option<Unordered> {
        let edge = machine.edge(state, thread, edge_id);
        self.clock(thread)[thread.0 as usize] += 1;
        let in_section = state.thread(thread).atomic > 0;
        let touches = machine.touches(state, thread);
        let place = (state.frame(thread).function, edge_id);
        let mut unordered = None;
        for touch in &touches {
            unordered = unordered.or_else(|| self.conflict(thread, touch, in_section, place));
            self.remember(thread, *touch, in_section, place);
            if touch.atomic || in_section {
                let carrier = Carrier::Memory(touch.object, touch.start);
                self.acquire(thread, carrier);
                self.release(thread, carrier);
            }
        }
        self.synchronise(machine, state, thread, edge);
        self.step += 1;
        unordered
    }

    /// Does that moment of `other` happen before the present one of `thread`?
    pub fn knows(&mut self, thread: ThreadId, other: ThreadId, time: u32) -> bool {
        self.clock(thread).get(other.0 as usize).is_some_and(|known| *known >= time)
    }

    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        let index = thread.0 as usize;
        while self.clocks.len() <= index {
            self.clocks.push(Vec::new());
        }
        let clock = &mut self.clocks[index];
        if clock.len() <= index {
            clock.resize(index + 1, 0);
        }
        clock
    }

    fn acquire(&mut self, thread: ThreadId, carrier: Carrier) {
        if let Some(carried) = self.carried.get(&carrier).cloned() {
            merge(self.clock(thread), &carried);
        }
    }

    fn release(&mut self, thread: ThreadId, carrier: Carrier) {
        let clock = self.clock(thread).clone();
        merge(self.carried.entry(carrier).or_default(), &clock);
        self.clock(thread)[thread.0 as usize] += 1;
    }

    fn pieces(touch: &Touch) -> impl Iterator<Item = (semantics::ObjectId, i64)> + use<> {
        let (object, first) = (touch.object, touch.start.div_euclid(PIECE));
        let last = (touch.start + touch.length as i64 - 1).div_euclid(PIECE).clamp(first, first + MOST_PIECES);
        (first..=last).map(move |piece| (object, piece))
    }

    fn conflict(
        &mut self,
        thread: ThreadId,
        touch: &Touch,
        in_section: bool,
        edge: (FunctionId, EdgeId),
    ) -> Option<Unordered> {
        let clock = self.clock(thread).clone();
        let is_unordered = |past: &&Past| {
            past.thread != thread
                && past.touch.conflicts(touch)
                && !(past.in_section && in_section)
                && clock.get(past.thread.0 as usize).is_none_or(|known| *known < past.time)
        };
        let past = Self::pieces(touch).find_map(|piece| self.past.get(&piece)?.iter().find(is_unordered))?;
        Some(Unordered { step: past.step, thread: past.thread, time: past.time, edges: [past.edge, edge] })
    }

    /// Keeps the last read and the last write of each thread for each piece.
    fn remember(&mut self, thread: ThreadId, touch: Touch, in_section: bool, edge: (FunctionId, EdgeId)) {
        let time = self.clock(thread)[thread.0 as usize];
        let now = Past { touch, thread, time, step: self.step, in_section, edge };
        for piece in Self::pieces(&touch) {
            let past = self.past.entry(piece).or_default();
            let same = |p: &Past| {
                p.thread == thread
                    && p.touch.write == touch.write
                    && (p.touch.start, p.touch.length) == (touch.start, touch.length)
            };
            match past.iter_mut().find(|p| same(p)) {
                Some(slot) => *slot = now,
                None => past.push(now),
            }
        }
    }

    fn synchronise(&mut self, machine: &Machine<'_>, state: &State, thread: ThreadId, edge: &Edge) {
        let Op::Thread(op) = &edge.op else { return };
        let lock = |address, kind| machine.lock_at(state, thread, address, kind).map(Carrier::Lock);
        match &**op {
            ThreadOp::Create { .. } => {
                let clock = self.clock(thread).clone();
                let child = ThreadId(state.threads.len() as u32);
                merge(self.clock(child), &clock);
                self.clock(thread)[thread.0 as usize] += 1;
            }
            ThreadOp::Join { thread: handle, .. } => {
                if let Some(other) = machine.thread_at(state, thread, *handle) {
                    let clock = self.clock(other).clone();
                    merge(self.clock(thread), &clock);
                }
            }
            ThreadOp::Mutex { op, mutex, .. } => {
                let Some(carrier) = lock(*mutex, LockKind::Mutex) else { return };
                match op {
                    MutexOp::Lock | MutexOp::TryLock | MutexOp::TimedLock => self.acquire(thread, carrier),
                    MutexOp::Unlock => self.release(thread, carrier),
                    MutexOp::Init { .. } | MutexOp::Destroy => {}
                }
            }
            ThreadOp::RwLock { op, lock: address, .. } => {
                let Some(carrier) = lock(*address, LockKind::RwLock) else { return };
                match op {
                    RwLockOp::Unlock => self.release(thread, carrier),
                    RwLockOp::Init | RwLockOp::Destroy => {}
                    _ => self.acquire(thread, carrier),
                }
            }
            ThreadOp::Condition { op, condition, .. } => {
                let Some(carrier) = lock(*condition, LockKind::Condition) else { return };
                match op {
                    ConditionOp::Sleep { mutex } => {
                        if let Some(mutex) = lock(*mutex, LockKind::Mutex) {
                            self.release(thread, mutex);
                        }
                    }
                    ConditionOp::Wake { .. } => self.acquire(thread, carrier),
                    ConditionOp::Signal | ConditionOp::Broadcast => self.release(thread, carrier),
                    ConditionOp::Init | ConditionOp::Destroy => {}
                }
            }
            ThreadOp::Barrier { op, barrier, .. } => {
                let Some(carrier) = lock(*barrier, LockKind::Barrier) else { return };
                match op {
                    BarrierOp::Arrive => self.release(thread, carrier),
                    BarrierOp::Pass => self.acquire(thread, carrier),
                    BarrierOp::Init { .. } | BarrierOp::Destroy => {}
                }
            }
            ThreadOp::Semaphore { op, semaphore, .. } => {
                let Some(carrier) = lock(*semaphore, LockKind::Semaphore) else { return };
                match op {
                    SemaphoreOp::Post => self.release(thread, carrier),
                    SemaphoreOp::Wait | SemaphoreOp::TryWait | SemaphoreOp::TimedWait => self.acquire(thread, carrier),
                    SemaphoreOp::Init { .. } | SemaphoreOp::Destroy | SemaphoreOp::Value => {}
                }
            }
            ThreadOp::OnceBegin { control, .. } => {
                if let Some(carrier) = lock(*control, LockKind::Once) {
                    self.acquire(thread, carrier);
                }
            }
            ThreadOp::OnceEnd { control } => {
                if let Some(carrier) = lock(*control, LockKind::Once) {
                    self.release(thread, carrier);
                }
            }
            _ => {}
        }
    }
}

fn merge(into: &mut Clock, from: &Clock) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(from) {
        *a = (*a).max(*b);
    }
}

//! Left, right and both movers: which steps commute with the steps of other threads (Lipton, CACM 1975).

use program::{BarrierOp, ConditionOp, MutexOp, Op, RwLockOp, SemaphoreOp, ThreadOp};

/// How a step of one thread can be swapped with a step of another one that is next to it in a run, both being possible as before
/// and leading to the same state (but for the names of objects and threads).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mover {
    /// With the step behind it.
    Right,
    /// With the step before it.
    Left,
    Both,
    Non,
}

impl Mover {
    pub fn new(right: bool, left: bool) -> Mover {
        match (right, left) {
            (true, true) => Mover::Both,
            (true, false) => Mover::Right,
            (false, true) => Mover::Left,
            (false, false) => Mover::Non,
        }
    }

    pub fn moves_right(self) -> bool {
        matches!(self, Mover::Right | Mover::Both)
    }

    pub fn moves_left(self) -> bool {
        matches!(self, Mover::Left | Mover::Both)
    }

    fn unless(self, contended: bool) -> Mover {
        if contended { Mover::Non } else { self }
    }
}

/// What an edge is, whatever the atomic section it may be in. For `contended` see [`super::Circumstances::is_contended`].
pub fn edge_kind(op: &Op, contended: bool) -> Mover {
    match op {
        // Locals that only this frame knows.
        Op::Skip | Op::Assume(_) | Op::Assign(..) | Op::Havoc(..) | Op::Call(_) | Op::CommandLine { .. } => Mover::Both,
        // Memory: what no other thread touches at the same time. What a library function prints is no part of the state.
        Op::Load { .. } | Op::Store { .. } | Op::Modify(_) | Op::CompareExchange(_) => Mover::Both.unless(contended),
        Op::Library(_) | Op::Overwrite(_) => Mover::Both.unless(contended),
        // New objects differ in their names only; those that end are written as a whole, with the locks in them.
        Op::Enter(_) | Op::Clear(_) | Op::Leave(_) | Op::Allocate(_) | Op::Free(_) => Mover::Both.unless(contended),
        // Ends the frame's objects. The last one of a thread is a left mover only, as `Exit` is; nothing of that thread follows it.
        Op::Return => Mover::Both.unless(contended),
        Op::Thread(op) => thread_op_kind(op, contended),
        // What keeps the others out is the section, not the step: where the section is known they are Right and Left.
        Op::AtomicBegin | Op::AtomicEnd => Mover::Non,
        // To be seen by everybody.
        Op::Error(_) | Op::End(_) | Op::Unsupported(_) => Mover::Non,
    }
}

fn thread_op_kind(op: &ThreadOp, contended: bool) -> Mover {
    match op {
        // Nothing can keep it from happening earlier; but what the new thread does comes behind it.
        ThreadOp::Create { .. } => Mover::Left.unless(contended),
        // Once possible it stays so; but the end of the other thread comes before it.
        ThreadOp::Join { .. } => Mover::Right.unless(contended),
        // Only joining and detaching look at it, which is an error then and counts as contention.
        ThreadOp::Detach { .. } => Mover::Both.unless(contended),
        // Nothing can keep it from happening earlier; but joining comes behind it. Ends the objects of all frames.
        ThreadOp::Exit { .. } => Mover::Left.unless(contended),
        // The thread's own.
        ThreadOp::Current { .. } | ThreadOp::CleanupPush { .. } | ThreadOp::CleanupPop { .. } => Mover::Both,
        ThreadOp::Mutex { op, .. } => match op {
            MutexOp::Init { .. } | MutexOp::Destroy => Mover::Both.unless(contended),
            // No other thread can do anything with a mutex that is held (again or for the first time) but wait for it.
            MutexOp::Lock => Mover::Right.unless(contended),
            MutexOp::Unlock => Mover::Left.unless(contended),
            // Failing tells what others do.
            MutexOp::TryLock | MutexOp::TimedLock => Mover::Non,
        },
        ThreadOp::RwLock { op, .. } => match op {
            RwLockOp::Init | RwLockOp::Destroy => Mover::Both.unless(contended),
            // Others can at most do what they could before it, or behind the release.
            RwLockOp::ReadLock | RwLockOp::WriteLock => Mover::Right.unless(contended),
            RwLockOp::Unlock => Mover::Left.unless(contended),
            RwLockOp::TryReadLock | RwLockOp::TryWriteLock | RwLockOp::TimedReadLock | RwLockOp::TimedWriteLock => {
                Mover::Non
            }
        },
        ThreadOp::Condition { op, .. } => match op {
            // There is nothing to a condition variable but who waits for it.
            ConditionOp::Init | ConditionOp::Destroy => Mover::Both.unless(contended),
            // Whom a signal can wake depends on who sleeps already, and on who has been woken by another one.
            ConditionOp::Sleep { .. } | ConditionOp::Signal | ConditionOp::Broadcast => Mover::Non,
            // Whoever wakes can wake later too, signalled or not: a signal that finds him asleep may wake the one that it would
            // have woken without him, and if there was none, him, which he does not notice unless he can tell it from time being up.
            ConditionOp::Wake { timed: false } => Mover::Right.unless(contended),
            ConditionOp::Wake { timed: true } => Mover::Non,
        },
        ThreadOp::Barrier { op, .. } => match op {
            BarrierOp::Init { .. } | BarrierOp::Destroy => Mover::Both.unless(contended),
            // The last one to arrive is known.
            BarrierOp::Arrive => Mover::Non,
            // Once released, a thread stays so; but the last arrival comes before it.
            BarrierOp::Pass => Mover::Right.unless(contended),
        },
        ThreadOp::Semaphore { op, .. } => match op {
            SemaphoreOp::Init { .. } | SemaphoreOp::Destroy => Mover::Both.unless(contended),
            // Others that waited at the lower value or posted can do so at the higher one too.
            SemaphoreOp::Wait => Mover::Right.unless(contended),
            // Others can do at the higher value what they did at the lower one. (No value is so high that it stays as it is.)
            SemaphoreOp::Post => Mover::Left.unless(contended),
            SemaphoreOp::TryWait | SemaphoreOp::TimedWait | SemaphoreOp::Value => Mover::Non,
        },
        // The first one keeps the others waiting, as a lock does, until its end; later ones find that it is done for ever.
        ThreadOp::OnceBegin { .. } => Mover::Right.unless(contended),
        ThreadOp::OnceEnd { .. } => Mover::Left.unless(contended),
        // Keys are numbers, given in order; ends of threads look at them.
        ThreadOp::KeyCreate { .. } | ThreadOp::KeyDelete { .. } => Mover::Non,
        // The thread's own, as long as no thread deletes the key.
        ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } => Mover::Both.unless(contended),
    }
}

/// May the step be kept waiting by what other threads do or do not do?
pub fn may_block(op: &Op) -> bool {
    let Op::Thread(op) = op else { return false };
    matches!(
        **op,
        ThreadOp::Join { .. }
            | ThreadOp::Mutex { op: MutexOp::Lock, .. }
            | ThreadOp::RwLock { op: RwLockOp::ReadLock | RwLockOp::WriteLock, .. }
            | ThreadOp::Condition { op: ConditionOp::Wake { .. }, .. }
            | ThreadOp::Barrier { op: BarrierOp::Pass, .. }
            | ThreadOp::Semaphore { op: SemaphoreOp::Wait, .. }
            | ThreadOp::OnceBegin { .. }
    )
}

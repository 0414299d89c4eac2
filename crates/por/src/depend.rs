//! Which two steps do not commute, or keep each other from being made.

use program::{BarrierOp, ConditionOp, MutexOp, RwLockOp, SemaphoreOp, ThreadOp};
use smallvec::smallvec;

use crate::{Action, Sync, SyncOp, SyncOps, Touch};

/// Do these next steps of two threads, at one state, depend on each other? Sections are not looked into: no other thread moves inside
/// one, so that whatever another thread does before it is seen together with what happens inside, and what it does behind it is not.
pub fn dependent(a: &Action, b: &Action) -> bool {
    match (a, b) {
        (Action::Section(..), _) | (_, Action::Section(..)) => true,
        (Action::Local, _) | (_, Action::Local) => false,
        (Action::Does { touches, syncs }, Action::Does { touches: others, syncs: more }) => {
            touches.iter().any(|a| others.iter().any(|b| touches_depend(a, b)))
                || syncs.iter().any(|a| more.iter().any(|b| syncs_depend(a, b)))
                || touches.iter().any(|a| more.iter().any(|b| ends_lock(a, b)))
                || others.iter().any(|a| syncs.iter().any(|b| ends_lock(a, b)))
        }
        _ => true,
    }
}

fn touches_depend(a: &Touch, b: &Touch) -> bool {
    let end = |touch: &Touch| touch.start.saturating_add_unsigned(touch.length);
    (a.write || b.write) && a.object == b.object && a.start < end(b) && b.start < end(a)
}

fn syncs_depend(a: &Sync, b: &Sync) -> bool {
    let anywhere = kind(a.op) == Kind::Key;
    operations_depend(a.op, b.op) && (anywhere || a.object == b.object && a.offset == b.offset)
}

/// Locks end with the object that they lie in.
fn ends_lock(touch: &Touch, sync: &Sync) -> bool {
    let inside = touch.start <= sync.offset && sync.offset < touch.start.saturating_add_unsigned(touch.length);
    sync.site.is_some() && touch.write && touch.object == sync.object && inside
}

/// Operations of different kinds have nothing to do with each other, even at one address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Mutex,
    Rw,
    Condition,
    Barrier,
    Semaphore,
    Once,
    Thread,
    Key,
}

pub(crate) fn kind(op: SyncOp) -> Kind {
    match op {
        SyncOp::Lock | SyncOp::Unlock | SyncOp::OtherMutex => Kind::Mutex,
        SyncOp::ReadLock | SyncOp::WriteLock | SyncOp::RwUnlock | SyncOp::OtherRw => Kind::Rw,
        SyncOp::Condition | SyncOp::Wake => Kind::Condition,
        SyncOp::Arrive | SyncOp::Pass => Kind::Barrier,
        SyncOp::Post | SyncOp::Wait | SyncOp::OtherSemaphore => Kind::Semaphore,
        SyncOp::Once => Kind::Once,
        SyncOp::Thread => Kind::Thread,
        SyncOp::KeyChange | SyncOp::KeyUse => Kind::Key,
    }
}

/// Do two operations on one object depend on each other? One that only lets the other go on does not count.
pub(crate) fn operations_depend(a: SyncOp, b: SyncOp) -> bool {
    use SyncOp::*;
    if kind(a) != kind(b) {
        return false;
    }
    match (a, b) {
        // Only who holds it unlocks it: until then no other thread can do anything with it but wait.
        (Unlock, Lock | Unlock) | (Lock, Unlock) => false,
        (ReadLock, ReadLock | RwUnlock) | (RwUnlock, ReadLock) => false,
        (WriteLock, RwUnlock) | (RwUnlock, WriteLock | RwUnlock) => false,
        // Each is about its own thread.
        (Wake, Wake) | (Pass, Pass) => false,
        // Waiting is not possible at zero, and above it does not matter which comes first.
        (Post, Post | Wait) | (Wait, Post) => false,
        (KeyUse, KeyUse) => false,
        _ => true,
    }
}

/// May `op` make it possible to go on with `waiting`, at the same place?
pub(crate) fn enables(op: SyncOp, waiting: SyncOp) -> bool {
    use SyncOp::*;
    match waiting {
        Lock => matches!(op, Unlock | OtherMutex),
        ReadLock | WriteLock => matches!(op, RwUnlock | OtherRw),
        Wait => matches!(op, Post | OtherSemaphore),
        Pass => op == Arrive,
        Wake => op == Condition,
        Once => op == Once,
        _ => false,
    }
}

/// May the operation be kept waiting, in a way that [`enables`] knows of?
pub(crate) fn waits(op: SyncOp) -> bool {
    use SyncOp::*;
    matches!(op, Lock | ReadLock | WriteLock | Wait | Pass | Wake | Once)
}

/// What a thread operation does to which locks, threads and keys. An unlock counts as that of a mutex that the thread holds.
pub fn sync_ops(op: &ThreadOp) -> SyncOps {
    match op {
        ThreadOp::Mutex { op, mutex, .. } => {
            let op = match op {
                MutexOp::Lock => SyncOp::Lock,
                MutexOp::Unlock => SyncOp::Unlock,
                MutexOp::Init { .. } | MutexOp::Destroy | MutexOp::TryLock | MutexOp::TimedLock => SyncOp::OtherMutex,
            };
            smallvec![(op, Some(*mutex))]
        }
        ThreadOp::RwLock { op, lock, .. } => {
            let op = match op {
                RwLockOp::ReadLock => SyncOp::ReadLock,
                RwLockOp::WriteLock => SyncOp::WriteLock,
                RwLockOp::Unlock => SyncOp::RwUnlock,
                _ => SyncOp::OtherRw,
            };
            smallvec![(op, Some(*lock))]
        }
        ThreadOp::Condition { op, condition, .. } => {
            let wakes = matches!(op, ConditionOp::Wake { .. });
            let sync = if wakes { SyncOp::Wake } else { SyncOp::Condition };
            let mut ops: SyncOps = smallvec![(sync, Some(*condition))];
            if let ConditionOp::Sleep { mutex } = op {
                ops.push((SyncOp::Unlock, Some(*mutex)));
            }
            ops
        }
        ThreadOp::Barrier { op, barrier, .. } => {
            let op = if *op == BarrierOp::Pass { SyncOp::Pass } else { SyncOp::Arrive };
            smallvec![(op, Some(*barrier))]
        }
        ThreadOp::Semaphore { op, semaphore, .. } => {
            let op = match op {
                SemaphoreOp::Wait => SyncOp::Wait,
                SemaphoreOp::Post => SyncOp::Post,
                _ => SyncOp::OtherSemaphore,
            };
            smallvec![(op, Some(*semaphore))]
        }
        ThreadOp::OnceBegin { control, .. } | ThreadOp::OnceEnd { control } => {
            smallvec![(SyncOp::Once, Some(*control))]
        }
        ThreadOp::Join { thread, .. } | ThreadOp::Detach { thread, .. } => smallvec![(SyncOp::Thread, Some(*thread))],
        ThreadOp::KeyCreate { .. } | ThreadOp::KeyDelete { .. } => smallvec![(SyncOp::KeyChange, None)],
        ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } | ThreadOp::Exit { .. } => smallvec![(SyncOp::KeyUse, None)],
        ThreadOp::Create { .. }
        | ThreadOp::Current { .. }
        | ThreadOp::CleanupPush { .. }
        | ThreadOp::CleanupPop { .. } => SyncOps::new(),
    }
}

//! What operations do to locks and when they wait, written once for all who carry locks along: the interpreter, and analyses that
//! know threads but no data.

use program::{ExprId, MutexOp, RwLockOp, SemaphoreOp, ThreadOp};

use crate::state::{Lock, LockKey, LockKind, MutexKind};
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value};

pub const EPERM: i64 = 1;
pub const EBUSY: i64 = 16;
pub const EDEADLK: i64 = 35;
pub const ETIMEDOUT: i64 = 110;

/// A step of a thread while it is executed, as far as locks need it.
pub trait Locker {
    /// Why a step is not completed.
    type Stop;

    fn me(&self) -> ThreadId;
    fn lock(&self, key: LockKey) -> Option<&Lock>;
    /// `None` makes the lock a new one again.
    fn set_lock(&mut self, key: LockKey, lock: Option<Lock>);
    fn number(&mut self, expr: ExprId) -> Result<u64, Self::Stop>;
    /// The operation is undefined for a lock in this state.
    fn undefined(&mut self) -> Self::Stop;
}

/// A lock named by an address that is none is one of its own all the same.
pub fn lock_key(value: Value, kind: LockKind) -> LockKey {
    let at = match value {
        Value::Pointer(pointer) => pointer,
        value => Pointer { base: Base::Object(ObjectId(u32::MAX)), offset: value.bits().unwrap_or(0) as i64 },
    };
    LockKey { kind, at }
}

/// The lock that an operation may have to wait for.
pub fn wanted(op: &ThreadOp) -> Option<(ExprId, LockKind)> {
    match op {
        ThreadOp::Mutex { op: MutexOp::Lock, mutex, .. } => Some((*mutex, LockKind::Mutex)),
        ThreadOp::RwLock { op: RwLockOp::ReadLock | RwLockOp::WriteLock, lock, .. } => Some((*lock, LockKind::RwLock)),
        ThreadOp::Semaphore { op: SemaphoreOp::Wait, semaphore, .. } => Some((*semaphore, LockKind::Semaphore)),
        ThreadOp::OnceBegin { control, .. } => Some((*control, LockKind::Once)),
        _ => None,
    }
}

/// Whom a thread waits for that wants this lock for the operation: for none in particular if empty. `None` if it can go on.
pub fn waits<'l>(op: &ThreadOp, lock: Option<&'l Lock>, me: ThreadId) -> Option<&'l [ThreadId]> {
    match op {
        ThreadOp::Mutex { op: MutexOp::Lock, .. } => mutex_waits(lock, me),
        ThreadOp::RwLock { op: RwLockOp::ReadLock, .. } => rwlock_waits(lock, false),
        ThreadOp::RwLock { op: RwLockOp::WriteLock, .. } => rwlock_waits(lock, true),
        ThreadOp::Semaphore { op: SemaphoreOp::Wait, .. } => match lock {
            Some(Lock::Semaphore { value: 1.. }) => None,
            _ => Some(&[]),
        },
        ThreadOp::OnceBegin { .. } => match lock {
            Some(Lock::Once { running: Some(runner) }) => Some(std::slice::from_ref(runner)),
            _ => None,
        },
        _ => None,
    }
}

fn mutex_waits(lock: Option<&Lock>, me: ThreadId) -> Option<&[ThreadId]> {
    match lock {
        Some(Lock::Mutex { owner: Some(owner), kind, .. }) if *owner != me || *kind == MutexKind::Normal => {
            Some(std::slice::from_ref(owner))
        }
        _ => None,
    }
}

fn rwlock_waits(lock: Option<&Lock>, write: bool) -> Option<&[ThreadId]> {
    match lock {
        Some(Lock::RwLock { writer: Some(writer), .. }) => Some(std::slice::from_ref(writer)),
        Some(Lock::RwLock { readers, .. }) if write && !readers.is_empty() => Some(readers),
        _ => None,
    }
}

fn mutex_state(step: &impl Locker, key: LockKey) -> (MutexKind, Option<ThreadId>, u32) {
    match step.lock(key) {
        Some(Lock::Mutex { kind, owner, count }) => (*kind, *owner, *count),
        _ => (MutexKind::Normal, None, 0),
    }
}

fn set_mutex(step: &mut impl Locker, key: LockKey, kind: MutexKind, owner: Option<ThreadId>, count: u32) {
    let is_new = kind == MutexKind::Normal && owner.is_none();
    step.set_lock(key, (!is_new).then_some(Lock::Mutex { kind, owner, count }));
}

/// What the operation yields.
pub fn mutex<L: Locker>(step: &mut L, op: MutexOp, key: LockKey) -> Result<i64, L::Stop> {
    let (kind, owner, count) = mutex_state(step, key);
    let me = step.me();
    let held = owner == Some(me);
    Ok(match op {
        // One that is held cannot be made anew, and is not given up.
        MutexOp::Init { .. } if owner.is_some() => return Err(step.undefined()),
        MutexOp::Destroy if owner.is_some() => EBUSY,
        MutexOp::Init { kind } => {
            let kind = match step.number(kind)? & 3 {
                1 => MutexKind::Recursive,
                2 => MutexKind::ErrorChecking,
                _ => MutexKind::Normal,
            };
            set_mutex(step, key, kind, None, 0);
            0
        }
        MutexOp::Destroy => {
            step.set_lock(key, None);
            0
        }
        MutexOp::Lock | MutexOp::TryLock | MutexOp::TimedLock if owner.is_none() => {
            set_mutex(step, key, kind, Some(me), 1);
            0
        }
        MutexOp::Lock | MutexOp::TryLock | MutexOp::TimedLock if held && kind == MutexKind::Recursive => {
            set_mutex(step, key, kind, owner, count + 1);
            0
        }
        MutexOp::Lock if held && kind == MutexKind::ErrorChecking => EDEADLK,
        MutexOp::TimedLock if held && kind == MutexKind::ErrorChecking => EDEADLK,
        MutexOp::TimedLock => ETIMEDOUT,
        MutexOp::TryLock => EBUSY,
        MutexOp::Lock => {
            debug_assert!(mutex_waits(step.lock(key), me).is_none(), "a blocked step is not taken");
            EBUSY
        }
        MutexOp::Unlock => unlock(step, key),
    })
}

/// Unlocking what is not held has no effect. A normal mutex can be unlocked by another thread, as in glibc.
pub fn unlock(step: &mut impl Locker, key: LockKey) -> i64 {
    let (kind, owner, count) = mutex_state(step, key);
    let me = step.me();
    match owner {
        Some(owner) if owner == me && count > 1 => set_mutex(step, key, kind, Some(owner), count - 1),
        Some(owner) if owner == me => set_mutex(step, key, kind, None, 0),
        _ if kind != MutexKind::Normal => return EPERM,
        Some(_) => set_mutex(step, key, kind, None, 0),
        None => {}
    }
    0
}

/// What the operation yields.
pub fn rwlock<L: Locker>(step: &mut L, op: RwLockOp, key: LockKey) -> Result<i64, L::Stop> {
    let (mut writer, mut readers) = match step.lock(key) {
        Some(Lock::RwLock { writer, readers }) => (*writer, readers.clone()),
        _ => (None, Vec::new()),
    };
    let me = step.me();
    let write = matches!(op, RwLockOp::WriteLock | RwLockOp::TryWriteLock | RwLockOp::TimedWriteLock);
    match op {
        RwLockOp::Init | RwLockOp::Destroy => {
            if writer.is_some() || !readers.is_empty() {
                return Err(step.undefined());
            }
        }
        RwLockOp::Unlock if writer == Some(me) => writer = None,
        RwLockOp::Unlock => {
            if let Some(i) = readers.iter().position(|r| *r == me) {
                readers.remove(i);
            }
        }
        _ => match rwlock_waits(step.lock(key), write) {
            None if write => writer = Some(me),
            None => {
                readers.push(me);
                readers.sort_unstable();
            }
            Some(_) => {
                return Ok(match op {
                    RwLockOp::TryReadLock | RwLockOp::TryWriteLock => EBUSY,
                    _ => ETIMEDOUT,
                });
            }
        },
    }
    let is_new = writer.is_none() && readers.is_empty();
    step.set_lock(key, (!is_new).then_some(Lock::RwLock { writer, readers }));
    Ok(0)
}

/// Counts a thread at a barrier: is it the last one?
pub fn arrive<L: Locker>(step: &mut L, key: LockKey) -> Result<bool, L::Stop> {
    let Some(Lock::Barrier { count, arrived }) = step.lock(key) else { return Err(step.undefined()) };
    let (count, arrived) = (*count, *arrived + 1);
    let last = arrived >= count;
    let arrived = if last { 0 } else { arrived };
    step.set_lock(key, Some(Lock::Barrier { count, arrived }));
    Ok(last)
}

/// What the operation yields.
pub fn semaphore<L: Locker>(step: &mut L, op: SemaphoreOp, key: LockKey) -> Result<i64, L::Stop> {
    let value = match step.lock(key) {
        Some(Lock::Semaphore { value }) => *value,
        _ => 0,
    };
    let set = |step: &mut L, value| step.set_lock(key, Some(Lock::Semaphore { value }));
    Ok(match op {
        SemaphoreOp::Init { value } => {
            let value = step.number(value)? as u32;
            set(step, value);
            0
        }
        SemaphoreOp::Destroy => {
            step.set_lock(key, None);
            0
        }
        SemaphoreOp::Wait | SemaphoreOp::TryWait | SemaphoreOp::TimedWait if value > 0 => {
            set(step, value - 1);
            0
        }
        SemaphoreOp::Wait | SemaphoreOp::TryWait | SemaphoreOp::TimedWait => -1,
        SemaphoreOp::Post => {
            set(step, value.saturating_add(1));
            0
        }
        SemaphoreOp::Value => i64::from(value),
    })
}

/// One for the thread that must run the routine.
pub fn begin_once(step: &mut impl Locker, key: LockKey) -> i64 {
    let first = step.lock(key).is_none();
    if first {
        let running = Some(step.me());
        step.set_lock(key, Some(Lock::Once { running }));
    }
    i64::from(first)
}

/// Do threads wait for each other in a circle? `waits` gives whom each waits for: no thread if it does not wait, or for none in
/// particular. A thread that waits for one of several waits for each of them.
pub fn waits_in_a_circle<'w>(threads: usize, waits: impl Fn(usize) -> &'w [ThreadId]) -> bool {
    if (0..threads).all(|i| waits(i).is_empty()) {
        return false;
    }
    let mut alive: Vec<bool> = (0..threads).map(|i| !waits(i).is_empty()).collect();
    // A thread that waits only for threads outside the set may go on eventually.
    loop {
        let leaves = |i: usize| !waits(i).iter().any(|t| alive[t.0 as usize]);
        let Some(gone) = (0..threads).find(|i| alive[*i] && leaves(*i)) else { break };
        alive[gone] = false;
    }
    alive.contains(&true)
}

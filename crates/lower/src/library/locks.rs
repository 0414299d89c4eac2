//! Mutexes, reader-writer locks and spin locks of POSIX.
//!
//! The state of a lock is the side table's; only its attributes are in memory: the kind of mutex is the first `int` of the
//! attribute object.

use program::{ExprId, MutexOp, Op, RwLockOp, ThreadOp};

use super::effects::{EINVAL, is_wrong_time};
use super::given::INT;
use super::threads::{any_int, get_kept, set_given, set_int};
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const H: &str = "pthread.h";
pub(super) const ETIMEDOUT: i32 = 110;

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, note, lower)
}

const fn no_effect(name: &'static str, note: &'static str) -> Model {
    Model::constant(name, H, note, 0)
}

pub const MODELS: &[Model] = &[
    row("pthread_mutex_init", "always succeeds; of the kind that the attributes say", mutex_init).convention(),
    row("pthread_mutex_destroy", "a normal, unlocked mutex afterwards", |f, g| mutex(f, g, MutexOp::Destroy)),
    row("pthread_mutex_lock", "waits for the mutex", |f, g| mutex(f, g, MutexOp::Lock)),
    row("pthread_mutex_trylock", "EBUSY if held", |f, g| mutex(f, g, MutexOp::TryLock)),
    row("pthread_mutex_timedlock", "may time out whenever held", |f, g| {
        timed(f, g, 1, |f, g| mutex(f, g, MutexOp::TimedLock))
    }),
    row("pthread_mutex_clocklock", "may time out whenever held", |f, g| {
        timed(f, g, 2, |f, g| mutex(f, g, MutexOp::TimedLock))
    }),
    row("pthread_mutex_unlock", "no effect if not held", |f, g| mutex(f, g, MutexOp::Unlock)),
    no_effect("pthread_mutex_consistent", "robust mutexes are ordinary ones"),
    no_effect("pthread_mutex_consistent_np", "robust mutexes are ordinary ones"),
    no_effect("pthread_mutex_setprioceiling", "every schedule is possible").convention(),
    row("pthread_mutex_getprioceiling", "any priority", any_int).over(),
    row("pthread_mutexattr_init", "normal", |f, g| set_int(f, g, 0)),
    no_effect("pthread_mutexattr_destroy", "no effect").reads(&[0]),
    row("pthread_mutexattr_settype", "kept in the object", set_given),
    row("pthread_mutexattr_gettype", "kept in the object", get_kept),
    row("pthread_mutexattr_setkind_np", "kept in the object", set_given),
    row("pthread_mutexattr_getkind_np", "kept in the object", get_kept),
    no_effect("pthread_mutexattr_setpshared", "there is one process").convention().reads(&[0]),
    no_effect("pthread_mutexattr_setprotocol", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_mutexattr_setprioceiling", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_mutexattr_setrobust", "robust mutexes are ordinary ones").under().reads(&[0]),
    no_effect("pthread_mutexattr_setrobust_np", "robust mutexes are ordinary ones").under().reads(&[0]),
    row("pthread_mutexattr_getpshared", "any value", any_int).over(),
    row("pthread_mutexattr_getprotocol", "any value", any_int).over(),
    row("pthread_mutexattr_getprioceiling", "any value", any_int).over(),
    row("pthread_mutexattr_getrobust", "any value", any_int).over(),
    row("pthread_rwlock_init", "unlocked", |f, g| rwlock(f, g, RwLockOp::Init)),
    row("pthread_rwlock_destroy", "unlocked afterwards", |f, g| rwlock(f, g, RwLockOp::Destroy)),
    row("pthread_rwlock_rdlock", "waits for writers", |f, g| rwlock(f, g, RwLockOp::ReadLock)),
    row("pthread_rwlock_wrlock", "waits for readers and writers", |f, g| rwlock(f, g, RwLockOp::WriteLock)),
    row("pthread_rwlock_tryrdlock", "EBUSY if written", |f, g| rwlock(f, g, RwLockOp::TryReadLock)),
    row("pthread_rwlock_trywrlock", "EBUSY if held", |f, g| rwlock(f, g, RwLockOp::TryWriteLock)),
    row("pthread_rwlock_timedrdlock", "may time out whenever written", |f, g| {
        timed(f, g, 1, |f, g| rwlock(f, g, RwLockOp::TimedReadLock))
    }),
    row("pthread_rwlock_timedwrlock", "may time out whenever held", |f, g| {
        timed(f, g, 1, |f, g| rwlock(f, g, RwLockOp::TimedWriteLock))
    }),
    row("pthread_rwlock_clockrdlock", "may time out whenever written", |f, g| {
        timed(f, g, 2, |f, g| rwlock(f, g, RwLockOp::TimedReadLock))
    }),
    row("pthread_rwlock_clockwrlock", "may time out whenever held", |f, g| {
        timed(f, g, 2, |f, g| rwlock(f, g, RwLockOp::TimedWriteLock))
    }),
    row("pthread_rwlock_unlock", "no effect if not held", |f, g| rwlock(f, g, RwLockOp::Unlock)),
    no_effect("pthread_rwlockattr_init", "no effect").reads(&[0]),
    no_effect("pthread_rwlockattr_destroy", "no effect").reads(&[0]),
    no_effect("pthread_rwlockattr_setpshared", "there is one process").convention().reads(&[0]),
    no_effect("pthread_rwlockattr_setkind_np", "every schedule is possible").convention().reads(&[0]),
    row("pthread_rwlockattr_getpshared", "any value", any_int).over(),
    row("pthread_rwlockattr_getkind_np", "any value", any_int).over(),
    row("pthread_spin_init", "a normal mutex", spin_init),
    row("pthread_spin_destroy", "unlocked afterwards", |f, g| mutex(f, g, MutexOp::Destroy)),
    row("pthread_spin_lock", "waits without spinning", |f, g| mutex(f, g, MutexOp::Lock)),
    row("pthread_spin_trylock", "EBUSY if held", |f, g| mutex(f, g, MutexOp::TryLock)),
    row("pthread_spin_unlock", "no effect if not held", |f, g| mutex(f, g, MutexOp::Unlock)),
];

fn mutex_init(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    /// glibc's adaptive mutexes differ from normal ones in speed only.
    const ADAPTIVE: i32 = 3;
    let attributes = f.pointer_arg(g, 1);
    let normal = f.int(0);
    let kind = f.load_unless_null(attributes, normal);
    let adaptive = f.is_int(kind, ADAPTIVE);
    let kind = f.b.if_else(adaptive, normal, kind);
    mutex(f, g, MutexOp::Init { kind })
}

fn spin_init(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let kind = f.int(0);
    mutex(f, g, MutexOp::Init { kind })
}

/// The first argument is the mutex.
pub(super) fn mutex(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: MutexOp) -> Option<ExprId> {
    let (mutex, size) = f.sync_arg(g, 0);
    Some(f.thread(|to| ThreadOp::Mutex { op, mutex, size, to }))
}

/// A call that has timed out has looked at the limit, its argument at `index`: only who must wait does.
pub(super) fn timed(
    f: &mut FunctionLowerer<'_, '_>,
    g: &Given<'_>,
    index: usize,
    primitive: super::Lower,
) -> Option<ExprId> {
    let result = primitive(f, g)?;
    let (limit, waited) = (f.pointer_arg(g, index), f.is_int(result, ETIMEDOUT));
    let to = f.temp(INT);
    f.emit(Op::Assign(to, result));
    let look = |f: &mut FunctionLowerer<'_, '_>| {
        f.follow(limit);
        let (wrong, error) = (is_wrong_time(f, g, index), f.int(EINVAL));
        f.if_else(wrong, |f| f.emit(Op::Assign(to, error)), |_| {});
    };
    f.if_else(waited, look, |_| {});
    Some(f.b.local(to))
}

fn rwlock(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: RwLockOp) -> Option<ExprId> {
    let (lock, size) = f.sync_arg(g, 0);
    Some(f.thread(|to| ThreadOp::RwLock { op, lock, size, to }))
}

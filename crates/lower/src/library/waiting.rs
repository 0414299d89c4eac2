//! Condition variables, barriers and semaphores of POSIX.

use program::{Allocation, BarrierOp, ConditionOp, Direction, ExprId, MutexOp, SemaphoreOp, ThreadOp};

use super::locks::{ETIMEDOUT, timed};
use super::memory::allocate;
use super::threads::any_int;
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const H: &str = "pthread.h";
const S: &str = "semaphore.h";

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, note, lower)
}

const fn no_effect(name: &'static str, note: &'static str) -> Model {
    Model::constant(name, H, note, 0)
}

const fn semaphore_row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, S, note, lower)
}

pub const MODELS: &[Model] = &[
    row("pthread_cond_init", "no thread waits", |f, g| condition(f, g, ConditionOp::Init)),
    row("pthread_cond_destroy", "no effect on waiters", |f, g| condition(f, g, ConditionOp::Destroy)),
    row("pthread_cond_signal", "wakes any one waiter", |f, g| condition(f, g, ConditionOp::Signal)),
    row("pthread_cond_broadcast", "wakes all waiters", |f, g| condition(f, g, ConditionOp::Broadcast)),
    row("pthread_cond_wait", "may wake spuriously", |f, g| wait(f, g, false)),
    row("pthread_cond_timedwait", "may time out at any time", |f, g| timed(f, g, 2, |f, g| wait(f, g, true))),
    row("pthread_cond_clockwait", "may time out at any time", |f, g| timed(f, g, 3, |f, g| wait(f, g, true))),
    row("pthread_cond_timedwait_relative_np", "may time out at any time", |f, g| {
        timed(f, g, 2, |f, g| wait(f, g, true))
    }),
    no_effect("pthread_condattr_init", "no effect").reads(&[0]),
    no_effect("pthread_condattr_destroy", "no effect").reads(&[0]),
    no_effect("pthread_condattr_setclock", "a timeout is possible at any time").convention().reads(&[0]),
    no_effect("pthread_condattr_setpshared", "there is one process").convention().reads(&[0]),
    row("pthread_condattr_getclock", "any value", any_int).over(),
    row("pthread_condattr_getpshared", "any value", any_int).over(),
    row("pthread_barrier_init", "for that many threads", barrier_init),
    row("pthread_barrier_destroy", "no effect on waiters", |f, g| barrier(f, g, BarrierOp::Destroy)),
    row("pthread_barrier_wait", "the last one to arrive gets PTHREAD_BARRIER_SERIAL_THREAD", barrier_wait),
    no_effect("pthread_barrierattr_init", "no effect").reads(&[0]),
    no_effect("pthread_barrierattr_destroy", "no effect").reads(&[0]),
    no_effect("pthread_barrierattr_setpshared", "there is one process").convention().reads(&[0]),
    row("pthread_barrierattr_getpshared", "any value", any_int).over(),
    semaphore_row("sem_init", "of that value", |f, g| semaphore_init(f, g, 2)),
    semaphore_row("sem_destroy", "no effect on waiters", |f, g| semaphore(f, g, SemaphoreOp::Destroy)),
    semaphore_row("sem_wait", "waits until positive", |f, g| semaphore(f, g, SemaphoreOp::Wait)),
    semaphore_row("sem_trywait", "-1 and EAGAIN if zero", |f, g| or_errno(f, g, SemaphoreOp::TryWait, EAGAIN)),
    semaphore_row("sem_timedwait", "may time out whenever zero", |f, g| timed_wait(f, g, 1)),
    semaphore_row("sem_clockwait", "may time out whenever zero", |f, g| timed_wait(f, g, 2)),
    semaphore_row("sem_post", "always succeeds", |f, g| semaphore(f, g, SemaphoreOp::Post)).convention(),
    semaphore_row("sem_getvalue", "never negative", semaphore_value),
    semaphore_row("sem_open", "a new semaphore for each call, whatever the name", semaphore_open).under().reads(&[0]),
    Model::constant("sem_close", S, "no effect", 0),
    Model::constant("sem_unlink", S, "no effect", 0).reads(&[0]),
];

const EAGAIN: i32 = 11;

fn condition(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: ConditionOp) -> Option<ExprId> {
    let (condition, size) = f.sync_arg(g, 0);
    Some(f.thread(|to| ThreadOp::Condition { op, condition, size, to }))
}

pub(super) fn signal(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: ConditionOp) -> Option<ExprId> {
    condition(f, g, op)
}

/// `(condition, mutex, …)`
pub(super) fn wait(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, timed: bool) -> Option<ExprId> {
    let (mutex, size) = f.sync_arg(g, 1);
    condition(f, g, ConditionOp::Sleep { mutex });
    let woken = condition(f, g, ConditionOp::Wake { timed })?;
    f.thread(|to| ThreadOp::Mutex { op: MutexOp::Lock, mutex, size, to });
    Some(if timed { woken } else { f.int(0) })
}

fn barrier(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: BarrierOp) -> Option<ExprId> {
    let (barrier, size) = f.sync_arg(g, 0);
    Some(f.thread(|to| ThreadOp::Barrier { op, barrier, size, to }))
}

fn barrier_init(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let count = f.int_arg(g, 2);
    barrier(f, g, BarrierOp::Init { count })
}

fn barrier_wait(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    barrier(f, g, BarrierOp::Arrive);
    barrier(f, g, BarrierOp::Pass)
}

fn semaphore(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: SemaphoreOp) -> Option<ExprId> {
    let (semaphore, size) = f.sync_arg(g, 0);
    Some(operate(f, semaphore, size, op))
}

fn operate(f: &mut FunctionLowerer<'_, '_>, semaphore: ExprId, size: u64, op: SemaphoreOp) -> ExprId {
    f.thread(|to| ThreadOp::Semaphore { op, semaphore, size, to })
}

fn semaphore_init(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, index: usize) -> Option<ExprId> {
    let value = f.int_arg(g, index);
    semaphore(f, g, SemaphoreOp::Init { value })
}

fn or_errno(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, op: SemaphoreOp, code: i32) -> Option<ExprId> {
    let result = semaphore(f, g, op)?;
    if f.unit.model("__errno_location").is_some() {
        let failed = f.is_int(result, -1);
        f.if_else(failed, |f| f.set_errno(code), |_| {});
    }
    Some(result)
}

/// The time limit is its argument at `index`.
fn timed_wait(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, index: usize) -> Option<ExprId> {
    let result = or_errno(f, g, SemaphoreOp::TimedWait, ETIMEDOUT)?;
    let (limit, waited) = (f.pointer_arg(g, index), f.b.is_true(result));
    f.if_else(waited, |f| f.follow(limit), |_| {});
    Some(result)
}

fn semaphore_value(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let to = f.pointer_arg(g, 1);
    let value = semaphore(f, g, SemaphoreOp::Value)?;
    f.store_at(to, value);
    Some(f.int(0))
}

/// `(name, flags, mode, value)`
fn semaphore_open(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    /// Of glibc's `sem_t`, for LP64.
    const SIZE: u64 = 32;
    f.assume(
        program::AssumptionKind::LibraryModel,
        Direction::Over,
        "sem_open",
        "two calls never give the same semaphore",
    );
    let value = f.int_arg(g, 3);
    let word = f.word();
    let size = f.b.constant(word, u128::from(SIZE));
    let semaphore = allocate(f, size, Allocation::Heap, 16);
    operate(f, semaphore, SIZE, SemaphoreOp::Init { value });
    Some(semaphore)
}

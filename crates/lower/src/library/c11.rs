//! C11 `threads.h`, with the values of glibc's enumerations.

use program::{BinaryOp, ConditionOp, ExprId, MutexOp};

use super::given::INT;
use super::locks::{ETIMEDOUT, mutex, timed};
use super::threads::{
    current, detach, end_thread, equal, key_create, key_delete, key_get, key_set, once, start, store_on_success,
    wait_for,
};
use super::waiting::{signal, wait};
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const H: &str = "threads.h";

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, note, lower)
}

pub const MODELS: &[Model] = &[
    row("thrd_create", "always succeeds", create).convention(),
    row("thrd_join", "waits for the thread", join),
    row("thrd_detach", "no effect on the thread's run", |f, g| status(f, g, detach)),
    row("thrd_exit", "runs destructors of keys", exit),
    row("thrd_current", "the handle of this thread", |f, _| Some(current(f))),
    row("thrd_equal", "compares handles", equal),
    Model::constant("thrd_sleep", H, "time passes at will", 0).reads(&[0]),
    Model::constant("thrd_yield", H, "every schedule is possible", 0),
    row("mtx_init", "normal or recursive", init),
    row("mtx_destroy", "a normal, unlocked mutex afterwards", |f, g| {
        status(f, g, |f, g| mutex(f, g, MutexOp::Destroy))
    }),
    row("mtx_lock", "waits for the mutex", |f, g| status(f, g, |f, g| mutex(f, g, MutexOp::Lock))),
    row("mtx_trylock", "thrd_busy if held", |f, g| status(f, g, |f, g| mutex(f, g, MutexOp::TryLock))),
    row("mtx_timedlock", "may time out whenever held", |f, g| {
        status(f, g, |f, g| timed(f, g, 1, |f, g| mutex(f, g, MutexOp::TimedLock)))
    }),
    row("mtx_unlock", "no effect if not held", |f, g| status(f, g, |f, g| mutex(f, g, MutexOp::Unlock))),
    row("cnd_init", "no thread waits", |f, g| status(f, g, |f, g| signal(f, g, ConditionOp::Init))),
    row("cnd_destroy", "no effect on waiters", |f, g| status(f, g, |f, g| signal(f, g, ConditionOp::Destroy))),
    row("cnd_signal", "wakes any one waiter", |f, g| status(f, g, |f, g| signal(f, g, ConditionOp::Signal))),
    row("cnd_broadcast", "wakes all waiters", |f, g| status(f, g, |f, g| signal(f, g, ConditionOp::Broadcast))),
    row("cnd_wait", "may wake spuriously", |f, g| status(f, g, |f, g| wait(f, g, false))),
    row("cnd_timedwait", "may time out at any time", |f, g| {
        status(f, g, |f, g| timed(f, g, 2, |f, g| wait(f, g, true)))
    }),
    row("tss_create", "null in every thread", key_create),
    row("tss_delete", "no destructor runs", key_delete),
    row("tss_set", "always succeeds", key_set),
    row("tss_get", "this thread's value", key_get),
    row("call_once", "others wait until the routine has returned", once),
];

/// The result of a POSIX primitive as `thrd_success`, `thrd_busy`, `thrd_timedout` or `thrd_error`.
fn status(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, primitive: super::Lower) -> Option<ExprId> {
    const EBUSY: i32 = 16;
    let result = primitive(f, g)?;
    let mut status = f.int(2);
    for (number, meaning) in [(ETIMEDOUT, 4), (EBUSY, 1), (0, 0)] {
        let (same, meaning) = (f.is_int(result, number), f.int(meaning));
        status = f.b.if_else(same, meaning, status);
    }
    Some(status)
}

fn create(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    status(f, g, |f, g| {
        let (handle, entry, arg) = (f.pointer_arg(g, 0), f.pointer_arg(g, 1), f.pointer_arg(g, 2));
        let detached = f.b.int(1, 0);
        Some(start(f, handle, entry, arg, detached))
    })
}

/// A thread's value is a pointer; an `int` travels in its low bits.
fn join(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    status(f, g, |f, g| {
        let pointer = f.pointer_arg(g, 1);
        let (result, value) = wait_for(f, g);
        let value = f.convert(value, false, INT, true);
        store_on_success(f, result, pointer, value);
        Some(result)
    })
}

fn exit(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let value = f.int_arg(g, 0);
    let pointer = f.pointer();
    let value = f.convert(value, true, pointer, false);
    end_thread(f, value)
}

fn init(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    status(f, g, |f, g| {
        let (kind, recursive) = (f.int_arg(g, 1), f.int(1));
        let kind = f.b.binary(BinaryOp::And, kind, recursive);
        mutex(f, g, MutexOp::Init { kind })
    })
}

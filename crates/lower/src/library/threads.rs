//! POSIX threads: their life, clean-up handlers, keys and attributes.
//!
//! An attribute object is ordinary memory whose first `int` is what the model keeps of it: the detach state.

use program::{BinaryOp, ExprId, Input, Op, Scalar, ThreadOp};

use super::given::INT;
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::{FunctionLowerer, Slot};

const H: &str = "pthread.h";
const NOT_CANCELLED: &str = "threads are never cancelled";

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, note, lower)
}

const fn no_effect(name: &'static str, note: &'static str) -> Model {
    Model::constant(name, H, note, 0)
}

pub const MODELS: &[Model] = &[
    row("pthread_create", "always succeeds", create).convention(),
    row("pthread_join", "waits for the thread", join),
    row("pthread_timedjoin_np", "waits for the thread or gives up at any time", |f, g| join_or(f, g, 110)),
    row("pthread_clockjoin_np", "waits for the thread or gives up at any time", |f, g| join_or(f, g, 110)),
    row("pthread_tryjoin_np", "may say EBUSY although the thread has ended", |f, g| join_or(f, g, 16)).over(),
    row("pthread_detach", "no effect on the thread's run", detach),
    row("pthread_exit", "runs clean-up handlers and destructors of keys", exit),
    row("pthread_self", "the handle of this thread", |f, _| Some(current(f))),
    row("pthread_equal", "compares handles", equal),
    row("pthread_once", "others wait until the routine has returned", once),
    // Cancellation.
    no_effect("pthread_cancel", NOT_CANCELLED).under(),
    row("pthread_setcancelstate", "remembers nothing", old_setting),
    row("pthread_setcanceltype", "remembers nothing", old_setting),
    no_effect("pthread_testcancel", NOT_CANCELLED),
    // Clean-up handlers, also as the macros of glibc expand.
    row("pthread_cleanup_push", "registers a handler", cleanup_push),
    row("pthread_cleanup_pop", "removes a handler and calls it if its argument is not 0", cleanup_pop),
    row("_pthread_cleanup_push", "registers a handler", |f, g| push(f, g, 1)),
    row("_pthread_cleanup_pop", "removes a handler and calls it if its argument is not 0", |f, g| pop(f, g, 1)),
    row("__pthread_register_cancel", "registers the handler of the enclosing scope", register),
    row("__pthread_register_cancel_defer", "registers the handler of the enclosing scope", register),
    row("__pthread_unregister_cancel", "removes the newest handler", unregister),
    row("__pthread_unregister_cancel_restore", "removes the newest handler", unregister),
    row("__pthread_unwind_next", "ends the thread", unwind),
    // Keys.
    row("pthread_key_create", "always succeeds; null in every thread", key_create).convention(),
    row("pthread_key_delete", "no destructor runs", key_delete),
    row("pthread_setspecific", "always succeeds", key_set),
    row("pthread_getspecific", "this thread's value", key_get),
    // Attributes.
    row("pthread_attr_init", "joinable", |f, g| set_int(f, g, 0)),
    no_effect("pthread_attr_destroy", "no effect").reads(&[0]),
    row("pthread_attr_setdetachstate", "kept in the object", set_given),
    row("pthread_attr_getdetachstate", "kept in the object", get_kept),
    no_effect("pthread_attr_setstacksize", "stacks are unlimited").convention().reads(&[0]),
    no_effect("pthread_attr_setstackaddr", "stacks are unlimited").convention().reads(&[0]),
    no_effect("pthread_attr_setstack", "stacks are unlimited").convention().reads(&[0]),
    no_effect("pthread_attr_setguardsize", "stacks are unlimited").convention().reads(&[0]),
    no_effect("pthread_attr_setscope", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_attr_setinheritsched", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_attr_setschedpolicy", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_attr_setschedparam", "every schedule is possible").convention().reads(&[0]),
    no_effect("pthread_attr_setaffinity_np", "every schedule is possible").convention().reads(&[0]),
    row("pthread_attr_getstacksize", "any size", any_word).over(),
    row("pthread_attr_getguardsize", "any size", any_word).over(),
    row("pthread_attr_getscope", "any scope", any_int).over(),
    row("pthread_attr_getinheritsched", "any choice", any_int).over(),
    row("pthread_attr_getschedpolicy", "any policy", any_int).over(),
    row("pthread_attr_getschedparam", "any priority", any_int).over(),
    row("pthread_getattr_np", "joinable", |f, g| set_at(f, g, 1, 0)),
    // Scheduling.
    no_effect("pthread_yield", "every schedule is possible"),
    no_effect("pthread_setschedparam", "every schedule is possible").convention(),
    no_effect("pthread_setschedprio", "every schedule is possible").convention(),
    no_effect("pthread_setaffinity_np", "every schedule is possible").convention(),
    no_effect("pthread_setconcurrency", "every schedule is possible").convention(),
    no_effect("pthread_getconcurrency", "every schedule is possible"),
    no_effect("pthread_setname_np", "names are dropped").convention(),
    no_effect("pthread_atfork", "processes are not modelled"),
    row("pthread_sigmask", "signals never arrive", |f, g| {
        f.unknown_effects("pthread_sigmask", g.args);
        Some(f.int(0))
    }),
    no_effect("pthread_kill", "signals never arrive").under(),
    Model::constant("sched_yield", "sched.h", "every schedule is possible", 0),
    Model::status("sched_setaffinity", "sched.h"),
    Model::status("sched_setscheduler", "sched.h"),
    Model::arbitrary("sched_get_priority_max", "sched.h", "any value").over(),
    Model::arbitrary("sched_get_priority_min", "sched.h", "any value").over(),
    Model::arbitrary("sched_getcpu", "sched.h", "any value"),
];

fn create(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    const DETACHED: i32 = 1;
    let (handle, attributes) = (f.pointer_arg(g, 0), f.pointer_arg(g, 1));
    let (entry, arg) = (f.pointer_arg(g, 2), f.pointer_arg(g, 3));
    let joinable = f.int(0);
    let state = f.load_unless_null(attributes, joinable);
    let detached = f.is_int(state, DETACHED);
    Some(start(f, handle, entry, arg, detached))
}

/// The edge that starts a thread.
pub(super) fn start(
    f: &mut FunctionLowerer<'_, '_>,
    handle: ExprId,
    entry: ExprId,
    arg: ExprId,
    detached: ExprId,
) -> ExprId {
    let handle = f.access(handle, f.word());
    f.thread(|to| ThreadOp::Create { handle, entry, arg, detached, to })
}

fn join(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let pointer = f.pointer_arg(g, 1);
    let (result, value) = wait_for(f, g);
    store_on_success(f, result, pointer, value);
    Some(result)
}

/// The value is stored if the call succeeds and a place for it is given.
pub(super) fn store_on_success(f: &mut FunctionLowerer<'_, '_>, result: ExprId, pointer: ExprId, value: ExprId) {
    let wanted = f.b.is_true(pointer);
    if f.b.as_constant(wanted) != Some(0) {
        let done = f.is_int(result, 0);
        f.if_else(done, |f| f.store_unless_null(pointer, value), |_| {});
    }
}

/// The result and the thread's value.
pub(super) fn wait_for(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> (ExprId, ExprId) {
    let thread = f.word_arg(g, 0);
    let pointer = f.pointer();
    let value = f.temp(pointer);
    let result = f.thread(|to| ThreadOp::Join { thread, value, to });
    (result, f.b.local(value))
}

/// A join that may fail with this error number instead.
fn join_or(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, failure: i32) -> Option<ExprId> {
    let result = f.temp(INT);
    let waits = f.arbitrary(Scalar::BOOL, Input::Unknown);
    let wait = |f: &mut FunctionLowerer<'_, '_>| {
        let joined = join(f, g).expect("a join has a result");
        f.emit(Op::Assign(result, joined));
    };
    let give_up = |f: &mut FunctionLowerer<'_, '_>| {
        let failure = f.int(failure);
        f.emit(Op::Assign(result, failure));
    };
    f.if_else(waits, wait, give_up);
    Some(f.b.local(result))
}

pub(super) fn detach(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let thread = f.word_arg(g, 0);
    Some(f.thread(|to| ThreadOp::Detach { thread, to }))
}

fn exit(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let value = f.pointer_arg(g, 0);
    end_thread(f, value)
}

pub(super) fn end_thread(f: &mut FunctionLowerer<'_, '_>, value: ExprId) -> Option<ExprId> {
    f.emit_thread(ThreadOp::Exit { value });
    f.at = f.b.location();
    None
}

fn unwind(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    let pointer = f.pointer();
    let null = f.b.null(pointer);
    end_thread(f, null)
}

pub(super) fn current(f: &mut FunctionLowerer<'_, '_>) -> ExprId {
    let word = f.word();
    let to = f.temp(word);
    f.emit_thread(ThreadOp::Current { to });
    f.b.local(to)
}

pub(super) fn equal(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (left, right) = (f.word_arg(g, 0), f.word_arg(g, 1));
    let same = f.b.binary(BinaryOp::Eq, left, right);
    Some(f.b.truth_as_int(same, 32))
}

pub(super) fn once(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let ((control, size), routine) = (f.sync_arg(g, 0), f.pointer_arg(g, 1));
    let first = f.thread(|to| ThreadOp::OnceBegin { control, size, to });
    let first = f.b.is_true(first);
    let run = |f: &mut FunctionLowerer<'_, '_>| {
        f.call_back(routine, vec![]);
        f.emit_thread(ThreadOp::OnceEnd { control });
    };
    f.if_else(first, run, |_| {});
    Some(f.int(0))
}

/// `(new setting, pointer for the old one)`
fn old_setting(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (old, enabled) = (f.pointer_arg(g, 1), f.int(0));
    f.store_unless_null(old, enabled);
    Some(enabled)
}

fn cleanup_push(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    push(f, g, 0)
}

fn push(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, at: usize) -> Option<ExprId> {
    let (routine, arg) = (f.pointer_arg(g, at), f.pointer_arg(g, at + 1));
    f.emit_thread(ThreadOp::CleanupPush { routine, arg });
    None
}

fn cleanup_pop(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    pop(f, g, 0)
}

fn pop(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, at: usize) -> Option<ExprId> {
    let execute = f.truth_arg(g, at);
    let (routine, arg) = remove_handler(f);
    f.if_else(execute, |f| f.call_back(routine, vec![arg]), |_| {});
    None
}

fn remove_handler(f: &mut FunctionLowerer<'_, '_>) -> (ExprId, ExprId) {
    let pointer = f.pointer();
    let (routine, arg) = (f.temp(pointer), f.temp(pointer));
    f.emit_thread(ThreadOp::CleanupPop { routine, arg });
    (f.b.local(routine), f.b.local(arg))
}

/// glibc's `pthread_cleanup_push` declares the handler in locals of its own and hands over only a buffer to jump back to.
fn register(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    match (innermost(f, "__cancel_routine"), innermost(f, "__cancel_arg")) {
        (Some(routine), Some(arg)) => f.emit_thread(ThreadOp::CleanupPush { routine, arg }),
        _ => f.unsupported("clean-up handler that is not registered by pthread_cleanup_push"),
    }
    None
}

fn unregister(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    remove_handler(f);
    None
}

/// The value of the innermost pointer with this name.
fn innermost(f: &mut FunctionLowerer<'_, '_>, name: &str) -> Option<ExprId> {
    let (typed, names, slots) = (f.typed, f.unit.names, &f.slots);
    let fits = |local: &c_front::typed::LocalId| {
        slots[*local].is_some() && typed.locals[*local].name.is_some_and(|symbol| names.resolve(symbol) == name)
    };
    let scopes = f.open.iter().rev().map(|&scope| &f.scopes[scope as usize]);
    let local = scopes.flat_map(|scope| scope.locals.iter().rev().copied()).find(fits)?;
    let pointer = f.pointer();
    Some(match f.slots[local]? {
        Slot::Plain(local) => f.b.local(local),
        Slot::Memory(local) => {
            let address = f.local_address(local);
            f.load_at(address, pointer)
        }
        Slot::Behind(_) => return None,
    })
}

pub(super) fn key_create(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (pointer, destructor) = (f.pointer_arg(g, 0), f.pointer_arg(g, 1));
    let key = f.thread(|to| ThreadOp::KeyCreate { destructor, to });
    f.store_at(pointer, key);
    Some(f.int(0))
}

pub(super) fn key_delete(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let key = f.int_arg(g, 0);
    f.emit_thread(ThreadOp::KeyDelete { key });
    Some(f.int(0))
}

pub(super) fn key_set(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (key, value) = (f.int_arg(g, 0), f.pointer_arg(g, 1));
    f.emit_thread(ThreadOp::KeySet { key, value });
    Some(f.int(0))
}

pub(super) fn key_get(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let key = f.int_arg(g, 0);
    let pointer = f.pointer();
    let to = f.temp(pointer);
    f.emit_thread(ThreadOp::KeyGet { key, to });
    Some(f.b.local(to))
}

// Objects that keep one `int`.

pub(super) fn set_int(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, value: i32) -> Option<ExprId> {
    set_at(f, g, 0, value)
}

fn set_at(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, index: usize, value: i32) -> Option<ExprId> {
    let (object, value) = (f.pointer_arg(g, index), f.int(value));
    f.store_at(object, value);
    Some(f.int(0))
}

/// `(object, value)`
pub(super) fn set_given(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (object, value) = (f.pointer_arg(g, 0), f.int_arg(g, 1));
    f.store_at(object, value);
    Some(f.int(0))
}

/// `(object, pointer for the value)`
pub(super) fn get_kept(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let (object, to) = (f.pointer_arg(g, 0), f.pointer_arg(g, 1));
    let value = f.load_at(object, INT);
    f.store_at(to, value);
    Some(f.int(0))
}

/// `(object, pointer for a value that is not kept)`
pub(super) fn any_int(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    any_at(f, g, INT)
}

fn any_word(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let word = f.word();
    any_at(f, g, word)
}

fn any_at(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, ty: Scalar) -> Option<ExprId> {
    let (to, value) = (f.pointer_arg(g, 1), f.arbitrary(ty, Input::Imprecise));
    f.store_at(to, value);
    Some(f.int(0))
}

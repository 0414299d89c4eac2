//! What verification tasks call: inputs, assumptions, assertions, atomic sections; and the ends of a program.

use program::{End, ErrorKind, ExprId, Op};

use super::{Given, Kind, Model};
use crate::function::FunctionLowerer;

const TASK: &str = "verification task";
const STDLIB: &str = "stdlib.h";
const UNISTD: &str = "unistd.h";
const ASSERT: &str = "assert.h";

const fn row(name: &'static str, note: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, TASK, note, lower)
}

const fn input(name: &'static str) -> Model {
    Model::new(name, TASK, "any value of the declared type", Kind::Input)
}

macro_rules! models {
    (inputs: $($ty:literal)*; $($row:expr,)*) => {
        pub const MODELS: &[Model] = &[
            $(
                input(concat!("__VERIFIER_nondet_", $ty)),
                input(concat!("__CPROVER_nondet_", $ty)),
                input(concat!("nondet_", $ty)),
            )*
            $($row,)*
        ];
    };
}

models! {
    inputs:
        "bool" "char" "schar" "uchar" "short" "ushort" "int" "uint" "unsigned" "unsigned_int" "long" "ulong" "longlong"
        "ulonglong" "llong" "ullong" "int128" "uint128" "float" "double" "longdouble" "ldouble" "size_t" "ssize_t"
        "ptrdiff_t" "intptr_t" "uintptr_t" "loff_t" "off_t" "sector_t" "pthread_t" "time_t" "wchar_t" "u8" "u16" "u32"
        "u64" "s8" "s16" "s32" "s64" "int8_t" "int16_t" "int32_t" "int64_t" "uint8_t" "uint16_t" "uint32_t" "uint64_t"
        "pchar" "charp" "const_char_pointer" "pointer" "ptr" "voidp";
    input("nondet"),
    input("__VERIFIER_nondet"),
    input("__SMACK_nondet"),
    Model::text("__VERIFIER_nondet_memory", TASK, "each byte takes any value"),
    row("__VERIFIER_assume", "cuts the run unless true", assume),
    row("__CPROVER_assume", "cuts the run unless true", assume),
    row("__ESBMC_assume", "cuts the run unless true", assume),
    row("assume_abort_if_not", "cuts the run unless true", assume),
    row("__VERIFIER_assert", "an error unless true; ends the program", assert_or_abort),
    row("__CPROVER_assert", "an error unless true; goes on", assert_and_go_on),
    row("__ESBMC_assert", "an error unless true; goes on", assert_and_go_on),
    Model::primitive("assert", ASSERT, "an error unless true; ends the program", assert_or_abort),
    Model::primitive("__assert_fail", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("__assert", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("__assert_perror_fail", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("__assert_rtn", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("__assert_func", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("_assert", ASSERT, "an error; ends the program", assertion_failed),
    Model::primitive("_wassert", ASSERT, "an error; ends the program", assertion_failed),
    row("reach_error", "an error; ends the program", error),
    row("__VERIFIER_error", "an error; ends the program", error),
    row("__VERIFIER_atomic_begin", "counted", |f, _| mark(f, Op::AtomicBegin)),
    row("__VERIFIER_atomic_end", "counted", |f, _| mark(f, Op::AtomicEnd)),
    row("__CPROVER_atomic_begin", "counted", |f, _| mark(f, Op::AtomicBegin)),
    row("__CPROVER_atomic_end", "counted", |f, _| mark(f, Op::AtomicEnd)),
    row("__ESBMC_atomic_begin", "counted", |f, _| mark(f, Op::AtomicBegin)),
    row("__ESBMC_atomic_end", "counted", |f, _| mark(f, Op::AtomicEnd)),
    Model::constant("__CPROVER_fence", TASK, "memory is sequentially consistent", 0),
    Model::constant("__ESBMC_yield", TASK, "every schedule is possible", 0),
    Model::constant("__CPROVER_input", TASK, "no effect", 0),
    Model::constant("__CPROVER_output", TASK, "no effect", 0),
    Model::primitive("abort", STDLIB, "ends the program", |f, _| end(f, End::Abort)),
    Model::primitive("exit", STDLIB, "ends the program", |f, _| end(f, End::Exit)),
    Model::primitive("_Exit", STDLIB, "ends the program", |f, _| end(f, End::Exit)),
    Model::primitive("quick_exit", STDLIB, "ends the program", |f, _| end(f, End::Exit)),
    Model::primitive("_exit", UNISTD, "ends the program", |f, _| end(f, End::Exit)),
    Model::primitive("exit_group", UNISTD, "ends the program", |f, _| end(f, End::Exit)),
    Model::primitive("err", "err.h", "ends the program; the message is dropped", |f, _| end(f, End::Exit)),
    Model::primitive("errx", "err.h", "ends the program; the message is dropped", |f, _| end(f, End::Exit)),
    Model::primitive("__stack_chk_fail", "compiler", "ends the program", |f, _| end(f, End::Abort)),
    Model::primitive("__chk_fail", "compiler", "ends the program", |f, _| end(f, End::Abort)),
    Model::constant("warn", "err.h", "the message is dropped", 0),
    Model::constant("warnx", "err.h", "the message is dropped", 0),
    Model::constant("atexit", STDLIB, "the function is never called", 0).under(),
    Model::constant("on_exit", STDLIB, "the function is never called", 0).under(),
    Model::constant("at_quick_exit", STDLIB, "the function is never called", 0).under(),
}

fn assume(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let condition = f.truth_arg(g, 0);
    f.cut_unless(condition);
    None
}

fn assert_or_abort(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let condition = f.truth_arg(g, 0);
    f.if_else(
        condition,
        |_| {},
        |f| {
            assertion_failed(f, g);
        },
    );
    None
}

fn assert_and_go_on(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let condition = f.truth_arg(g, 0);
    f.if_else(condition, |_| {}, |f| f.emit(Op::Error(ErrorKind::Assert)));
    None
}

fn assertion_failed(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    f.emit(Op::Error(ErrorKind::Assert));
    end(f, End::Abort)
}

fn error(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    f.emit(Op::Error(ErrorKind::ErrorCall));
    end(f, End::Abort)
}

fn end(f: &mut FunctionLowerer<'_, '_>, end: End) -> Option<ExprId> {
    f.end(end);
    None
}

fn mark(f: &mut FunctionLowerer<'_, '_>, op: Op) -> Option<ExprId> {
    f.emit(op);
    None
}

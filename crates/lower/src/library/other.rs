//! The rest: `stdlib.h`, time, processes and files, `errno`, jumps; and what only the C texts call.

use program::{BinaryOp, ExprId, Input, Scalar};

use super::given::{self, INT};
use super::{Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const STDLIB: &str = "stdlib.h";
const UNISTD: &str = "unistd.h";
const FCNTL: &str = "fcntl.h";
const STAT: &str = "sys/stat.h";
const TIME: &str = "time.h";
const SETJMP: &str = "setjmp.h";
const SIGNAL: &str = "signal.h";
const TEXTS: &str = "C texts of models";
const ANY: &str = "any value";

const fn stdlib(name: &'static str, note: &'static str) -> Model {
    Model::text(name, STDLIB, note)
}

const fn unistd(name: &'static str, note: &'static str) -> Model {
    Model::text(name, UNISTD, note)
}

const fn time(name: &'static str, note: &'static str) -> Model {
    Model::text(name, TIME, note)
}

const fn sleep(name: &'static str, header: &'static str) -> Model {
    Model::primitive(name, header, "time passes at will", given::sleeps)
}

/// A function that may write what it is handed.
const fn unknown(name: &'static str, header: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, header, "may write numbers in what it is handed", lower)
}

/// The same, which succeeds.
macro_rules! succeeds {
    ($name:literal, $header:expr) => {
        unknown($name, $header, |f, g| {
            f.unknown_effects($name, g.args);
            Some(f.int(0))
        })
    };
}

macro_rules! not_understood {
    ($name:literal, $header:expr) => {
        Model::primitive($name, $header, "not understood", |f, _| unsupported(f, $name))
    };
}

pub const MODELS: &[Model] = &[
    stdlib("abs", "exact"),
    stdlib("labs", "exact"),
    stdlib("llabs", "exact"),
    Model::alias("imaxabs", "inttypes.h", "llabs", &[]),
    Model::primitive("div", STDLIB, "exact", |f, g| divide(f, g, Some(32))),
    Model::primitive("ldiv", STDLIB, "exact", |f, g| divide(f, g, None)),
    Model::primitive("lldiv", STDLIB, "exact", |f, g| divide(f, g, Some(64))),
    stdlib("atoi", "wraps on overflow"),
    stdlib("atol", "wraps on overflow"),
    stdlib("atoll", "wraps on overflow"),
    stdlib("strtol", "exact"),
    stdlib("strtoul", "exact"),
    stdlib("strtoll", "exact"),
    stdlib("strtoull", "exact"),
    Model::text("__heddle_magnitude", TEXTS, "digits of a number"),
    Model::alias("strtoimax", "inttypes.h", "strtoll", &[]),
    Model::alias("strtoumax", "inttypes.h", "strtoull", &[]),
    Model::alias("__isoc23_strtol", STDLIB, "strtol", &[]),
    Model::alias("__isoc23_strtoul", STDLIB, "strtoul", &[]),
    Model::alias("__isoc23_strtoll", STDLIB, "strtoll", &[]),
    Model::alias("__isoc23_strtoull", STDLIB, "strtoull", &[]),
    Model::arbitrary("atof", STDLIB, "any value, whatever the string").over().reads(&[0]),
    stdlib("strtod", "any value, whatever the string").over(),
    Model::alias("strtof", STDLIB, "strtod", &[]),
    Model::alias("strtold", STDLIB, "strtod", &[]),
    stdlib("qsort", "insertion sort"),
    stdlib("bsearch", "binary search"),
    Model::primitive("rand", STDLIB, "any value up to RAND_MAX", random).convention(),
    Model::primitive("random", STDLIB, "any value up to RAND_MAX", random).convention(),
    Model::primitive("lrand48", STDLIB, "any value below 2^31", random).convention(),
    stdlib("rand_r", "any value up to RAND_MAX, whatever the seed").over(),
    Model::constant("srand", STDLIB, "no effect", 0),
    Model::constant("srandom", STDLIB, "no effect", 0),
    Model::constant("srand48", STDLIB, "no effect", 0),
    Model::primitive("mrand48", STDLIB, "any number of 32 bits", |f, _| Some(f.arbitrary(INT, Input::Unknown))),
    stdlib("drand48", "any value from 0 to below 1"),
    stdlib("getenv", "null or any string, the same for the same name"),
    Model::alias("secure_getenv", STDLIB, "getenv", &[]),
    stdlib("setenv", "any value is found later").reads(&[1]),
    Model::text("__heddle_environment_is_changed", TEXTS, "whether variables are set"),
    Model::alias("unsetenv", STDLIB, "setenv", &[]).reads(&[]),
    Model::alias("putenv", STDLIB, "setenv", &[]).reads(&[]),
    Model::arbitrary("system", STDLIB, "any value; the command has no effect on memory"),
    stdlib("mkstemp", "any name and number, or fails"),
    // Errors.
    Model::text("__errno_location", "errno.h", "one for each thread"),
    Model::alias("__errno", "errno.h", "__errno_location", &[]),
    Model::alias("__error", "errno.h", "__errno_location", &[]),
    Model::alias("_errno", "errno.h", "__errno_location", &[]),
    // Jumps out of functions.
    Model::constant("setjmp", SETJMP, "returns once, with 0", 0),
    Model::constant("_setjmp", SETJMP, "returns once, with 0", 0),
    Model::constant("__setjmp", SETJMP, "returns once, with 0", 0),
    Model::constant("sigsetjmp", SETJMP, "returns once, with 0", 0),
    Model::constant("__sigsetjmp", SETJMP, "returns once, with 0", 0),
    Model::constant("__sigsetjmp_cancel", SETJMP, "returns once, with 0", 0),
    not_understood!("longjmp", SETJMP),
    Model::primitive("_longjmp", SETJMP, "not understood", |f, _| unsupported(f, "longjmp")),
    not_understood!("siglongjmp", SETJMP),
    // Time.
    time("time", "some time that does not go back").convention(),
    time("gettimeofday", "some time that does not go back").convention(),
    time("clock_gettime", "some time that does not go back").convention(),
    time("clock_getres", "some time that does not go back").convention(),
    time("timespec_get", "some time that does not go back").convention(),
    time("clock", "some time that does not go back, or -1").convention(),
    time("mktime", "any time, and any date in its place").over().reads(&[0]),
    Model::alias("timelocal", TIME, "mktime", &[]),
    Model::alias("timegm", TIME, "mktime", &[]),
    Model::arbitrary("difftime", TIME, ANY).over(),
    time("localtime", "any date").over(),
    time("localtime_r", "any date").over(),
    Model::alias("gmtime", TIME, "localtime", &[]),
    Model::alias("gmtime_r", TIME, "localtime_r", &[]),
    time("ctime", "any text of 25 characters").over().reads(&[0]),
    time("ctime_r", "any text of 25 characters").over().reads(&[0]),
    Model::alias("asctime", TIME, "ctime", &[]),
    Model::alias("asctime_r", TIME, "ctime_r", &[]),
    time("strptime", "any date, whatever the string").over().reads(&[1]),
    time("strftime", "any text that fits").over().reads(&[2, 3]),
    Model::constant("tzset", TIME, "no effect", 0),
    sleep("nanosleep", TIME).reads(&[0]),
    time("clock_nanosleep", "time passes at will").reads(&[2]),
    unistd("sleep", "time passes at will"),
    sleep("usleep", UNISTD),
    // Processes and files.
    unistd("getpid", "any number, chosen once"),
    unistd("getppid", "any number"),
    Model::arbitrary("gettid", UNISTD, ANY).over(),
    unistd("getuid", "any number, chosen once"),
    unistd("geteuid", "any number, chosen once"),
    unistd("getgid", "any number, chosen once"),
    unistd("getegid", "any number, chosen once"),
    unistd("sysconf", "any number or -1, chosen once for each name"),
    unistd("getpagesize", "any power of two from 4096 on, chosen once"),
    not_understood!("fork", UNISTD),
    not_understood!("vfork", UNISTD),
    unistd("read", "any input, also none"),
    Model::alias("recv", "sys/socket.h", "read", &[]),
    unistd("write", "any part is written; the output is dropped"),
    Model::alias("send", "sys/socket.h", "write", &[]),
    unistd("pipe", "succeeds or fails; its ends are not connected").over(),
    Model::alias("pipe2", UNISTD, "pipe", &[]),
    unistd("isatty", "0 or 1"),
    Model::number("open", FCNTL).reads(&[0]),
    Model::number("open64", FCNTL).reads(&[0]),
    Model::number("openat", FCNTL).reads(&[1]),
    Model::number("creat", FCNTL).reads(&[0]),
    unknown("fcntl", FCNTL, |f, g| any_effect(f, g, "fcntl")),
    unknown("ioctl", "sys/ioctl.h", |f, g| any_effect(f, g, "ioctl")),
    Model::status("close", UNISTD),
    Model::number("lseek", UNISTD),
    Model::status("unlink", UNISTD).reads(&[0]),
    Model::status("access", UNISTD).reads(&[0]),
    Model::status("fsync", UNISTD),
    Model::number("dup", UNISTD),
    Model::number("dup2", UNISTD).over(),
    Model::text("stat", STAT, "any file, or fails").reads(&[0]),
    Model::alias("lstat", STAT, "stat", &[]),
    Model::alias("fstat", STAT, "stat", &[]).reads(&[]),
    Model::alias("stat64", STAT, "stat", &[]),
    Model::alias("__xstat", STAT, "stat", &[0]),
    Model::alias("__lxstat", STAT, "stat", &[0]),
    Model::alias("__fxstat", STAT, "stat", &[0]).reads(&[]),
    Model::text("poll", "poll.h", "any events that were requested, errors, or a failure"),
    Model::text("select", "sys/select.h", "any part of the sets, or a failure"),
    Model::constant("sync", UNISTD, "no effect", 0),
    Model::constant("alarm", UNISTD, "signals never arrive", 0).under(),
    // Signals.
    Model::constant("signal", SIGNAL, "handlers are never called", 0).under(),
    Model::constant("sigaction", SIGNAL, "handlers are never called", 0).under(),
    Model::constant("raise", SIGNAL, "handlers are never called", 0).under(),
    Model::constant("kill", SIGNAL, "handlers are never called", 0).under(),
    succeeds!("sigprocmask", SIGNAL),
    succeeds!("sigemptyset", SIGNAL).reads(&[0]),
    succeeds!("sigfillset", SIGNAL).reads(&[0]),
    succeeds!("sigaddset", SIGNAL).reads(&[0]),
    succeeds!("sigdelset", SIGNAL).reads(&[0]),
    // What stores pointers, or follows pointers that are stored.
    not_understood!("getopt_long", "getopt.h"),
    not_understood!("getopt_long_only", "getopt.h"),
    not_understood!("getline", "stdio.h"),
    not_understood!("getdelim", "stdio.h"),
    not_understood!("__getdelim", "stdio.h"),
    not_understood!("asprintf", "stdio.h"),
    not_understood!("vasprintf", "stdio.h"),
    not_understood!("__asprintf_chk", "stdio.h"),
    not_understood!("__vasprintf_chk", "stdio.h"),
    not_understood!("open_memstream", "stdio.h"),
    not_understood!("getaddrinfo", "netdb.h"),
    not_understood!("timer_create", TIME),
    not_understood!("readv", "sys/uio.h"),
    not_understood!("recvmsg", "sys/socket.h"),
    not_understood!("aio_read", "aio.h"),
    not_understood!("lio_listio", "aio.h"),
    // Locale.
    Model::arbitrary("setlocale", "locale.h", "null or any string; the locale stays C").over(),
    // Values that C texts need.
    Model::arbitrary("__heddle_any_bool", TEXTS, ANY),
    Model::arbitrary("__heddle_any_char", TEXTS, ANY),
    Model::arbitrary("__heddle_any_uchar", TEXTS, ANY),
    Model::text("__tick", TEXTS, "a clock that does not go back"),
    Model::arbitrary("__heddle_any_uint", TEXTS, ANY),
    Model::arbitrary("__heddle_any_long", TEXTS, ANY),
    Model::arbitrary("__heddle_any_ulong", TEXTS, ANY),
    Model::arbitrary("__heddle_any_double", TEXTS, ANY),
    Model::arbitrary("__heddle_any_string", TEXTS, "null or any string"),
    Model::arbitrary("__heddle_imprecise", TEXTS, "gives more than is possible").over(),
    Model::primitive("__heddle_fails", TEXTS, "-1 and some error", given::fails),
    Model::primitive("__heddle_may_fail", TEXTS, "some error, or none", given::may_fail),
    Model::primitive("__heddle_doubt", TEXTS, "may do what is not possible", given::doubt),
];

fn any_effect(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, name: &str) -> Option<ExprId> {
    f.unknown_effects(name, g.args);
    Some(f.arbitrary(INT, Input::Unknown))
}

/// A record of quotient and remainder, of that many bits or a word each.
fn divide(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, bits: Option<u8>) -> Option<ExprId> {
    let ty = bits.map_or(f.word(), Scalar::Int);
    let (left, right) = (f.arg_as(g, 0, ty, true), f.arg_as(g, 1, ty, true));
    let address = f.record_temporary(g.result);
    let (quotient, remainder) = (f.b.binary(BinaryOp::SDiv, left, right), f.b.binary(BinaryOp::SRem, left, right));
    f.store_at(address, quotient);
    let second = f.offset(address, ty.bytes() as i64);
    f.store_at(second, remainder);
    Some(address)
}

/// A non-negative `int` or `long`; RAND_MAX is 2^31 - 1.
fn random(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    let value = f.arbitrary(Scalar::Int(31), Input::Unknown);
    Some(f.b.resize(value, 32, false))
}

fn unsupported(f: &mut FunctionLowerer<'_, '_>, what: &str) -> Option<ExprId> {
    f.unsupported(what);
    None
}

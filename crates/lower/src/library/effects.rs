//! What calls do beside what their models say, by the names of functions, also of some that have no model: memory that they read, limits
//! at which they fail, `errno`, and effects that are left out, so that nothing may be proved of a program that has them.

use program::{AssumptionKind, BinaryOp, Direction, ExprId, Input, Op, Scalar};

use super::given::INT;
use super::scanf::{literal, pointed_to};
use super::{Arg, Given, Model};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

/// What is read behind a pointer that is not null.
#[derive(Clone, Copy)]
enum Read {
    /// A string.
    Text,
    /// So many bytes.
    Bytes(u64),
    /// So many words.
    Words(u64),
}

use Read::{Bytes, Text, Words};

/// A `struct timespec`.
const TIME: Read = Words(2);

/// Functions, which argument they read, and what of it.
const READS: &[(&[&str], usize, Read)] = &[
    (
        &["open", "open64", "creat", "stat", "unlink", "access", "remove", "rename", "mkdir", "rmdir", "opendir"],
        0,
        Text,
    ),
    (
        &["chdir", "chmod", "chown", "link", "symlink", "readlink", "truncate", "realpath", "shm_open", "mq_open"],
        0,
        Text,
    ),
    (&["fopen", "system", "setenv", "sem_open", "sem_unlink", "dlopen", "atof", "sscanf", "openlog"], 0, Text),
    (&["execv", "execvp", "execve", "execl", "execlp", "execle"], 0, Text),
    (&["openat", "rename", "link", "symlink", "fopen", "setenv", "syslog", "pthread_setname_np", "strptime"], 1, Text),
    (&["setlocale", "dlsym"], 1, Text),
    (&["strftime"], 2, Text),
    (&["pthread_cond_timedwait", "pthread_cond_timedwait_relative_np", "pthread_timedjoin_np"], 2, TIME),
    (&["pthread_cond_clockwait", "pthread_clockjoin_np"], 3, TIME),
    (&["nanosleep", "thrd_sleep"], 0, TIME),
    (&["clock_settime"], 1, TIME),
    (&["clock_nanosleep", "cnd_timedwait"], 2, TIME),
    (&["ctime", "ctime_r"], 0, Words(1)),
    (&["strftime"], 3, Bytes(36)),
    (&["wcslen"], 0, Bytes(4)),
    (&["swab", "malloc_usable_size"], 0, Bytes(1)),
    (&["pwrite"], 1, Bytes(1)),
    (&["sigprocmask", "pthread_sigmask"], 1, Words(1)),
];

/// When a call fails that always succeeds otherwise.
#[derive(Clone, Copy)]
enum Limit {
    /// The nanoseconds of a time are not below a second; whether that is looked at is open.
    Time(usize),
    /// A number is zero.
    Zero(usize),
    /// A number is below this one.
    Below(usize, u64),
    /// A number without sign is above this one.
    Above(usize, u64),
    /// The model does not know.
    Open,
}

pub(super) const EINVAL: i32 = 22;
const ERANGE: i32 = 34;
const EINVAL_IN_ERRNO: i32 = -EINVAL;

/// Functions, their limits, and what they return then; a negative number is that of an error in `errno`.
const LIMITS: &[(&[&str], Limit, i32)] = &[
    (&["pthread_cond_timedwait", "pthread_cond_timedwait_relative_np"], Limit::Time(2), EINVAL),
    (&["pthread_cond_clockwait"], Limit::Time(3), EINVAL),
    (&["sem_init"], Limit::Above(2, i32::MAX as u64), EINVAL_IN_ERRNO),
    (&["pthread_barrier_init"], Limit::Zero(2), EINVAL),
    (&["pthread_attr_setstacksize"], Limit::Below(1, 16384), EINVAL),
    (&["pthread_attr_setdetachstate"], Limit::Above(1, 1), EINVAL),
    (&["pthread_mutexattr_settype"], Limit::Above(1, 3), EINVAL),
    (&["pthread_setname_np"], Limit::Open, ERANGE),
];

/// When effects of a call are left out.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// Unless this argument is null.
    Given(usize),
    /// If this argument has that bit.
    Bit(usize, u128),
    /// Where there is more than one call for which this argument is not null.
    Again(usize),
    /// If this argument is a format that stores how much was written, or may be one.
    Counts(usize),
}

const STORES: &str = "the pointers that it stores are not modelled";
const COUNTS: &str = "the count that %n stores is not modelled by every engine";
const ONCE: &str = "the call is carried out once";
const FILLS: &str = "the memory that it fills is not modelled";

const LEFT_OUT: &[(&[&str], When, &str)] = &[
    (
        &["asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk", "getline", "getdelim", "__getdelim"],
        When::Always,
        STORES,
    ),
    (
        &["timer_create", "getaddrinfo", "getifaddrs", "scandir", "glob", "wordexp", "tsearch", "tdelete"],
        When::Always,
        STORES,
    ),
    (
        &["getpwnam_r", "getpwuid_r", "getgrnam_r", "getgrgid_r", "hsearch", "hsearch_r", "insque", "remque"],
        When::Always,
        STORES,
    ),
    (&["open_memstream", "open_wmemstream", "backtrace_symbols", "getopt", "getopt_long_only"], When::Always, STORES),
    (&["getopt_long", "getsubopt"], When::Always, "what it stores is not modelled"),
    (&["readv", "preadv", "recvmsg", "recvmmsg", "aio_read", "lio_listio", "epoll_wait"], When::Always, FILLS),
    (&["fmemopen", "strerror_r"], When::Always, FILLS),
    (&["setvbuf", "setbuf", "setbuffer"], When::Given(1), "what output writes into the buffer is not modelled"),
    (&["lgamma", "lgammaf", "lgammal", "gamma", "gammaf", "gammal"], When::Always, "signgam is not modelled"),
    (&["mmap", "mmap64"], When::Bit(3, 1), "what others write into a shared mapping is not modelled"),
    (&["pthread_key_create"], When::Again(1), "the order of the destructors of several keys is not modelled"),
    (&["printf", "vprintf"], When::Counts(0), COUNTS),
    (&["fprintf", "vfprintf", "sprintf", "vsprintf"], When::Counts(1), COUNTS),
    (&["snprintf", "vsnprintf"], When::Counts(2), COUNTS),
    (&["shmat"], When::Always, "what others write into shared memory is not modelled"),
    (&["flockfile", "ftrylockfile"], When::Always, "that others wait for the stream is not modelled"),
    (&["clone", "makecontext", "swapcontext", "setcontext"], When::Always, "is not modelled"),
];

/// How a call may set `errno`.
#[derive(Clone, Copy, PartialEq)]
enum Errno {
    /// Whenever it fails: its result is a null pointer or the number -1.
    Failure,
    /// Whenever its result is -1, also as a pointer.
    MinusOne,
    /// Whenever its result is zero.
    Zero,
    /// At will.
    May,
}

const ERRNO: &[(&[&str], Errno)] = &[
    (&["fopen", "calloc", "reallocarray", "opendir", "getcwd", "realpath", "mkdir"], Errno::Failure),
    (
        &["rmdir", "chdir", "chmod", "socket", "bind", "listen", "accept", "connect", "gethostname", "readlink"],
        Errno::Failure,
    ),
    (&["mmap", "mmap64"], Errno::MinusOne),
    (&["isatty"], Errno::Zero),
    (
        &["getchar", "fgets", "gets", "fread", "scanf", "fscanf", "sscanf", "fwrite", "perror", "puts", "putchar"],
        Errno::May,
    ),
    (&["printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf"], Errno::May),
    (&["system", "pclose", "strerror", "setlocale", "ungetc", "mktime", "localtime_r", "strptime"], Errno::May),
];

/// These set it only for some arguments, which the models do not distinguish.
const FOR_SOME_ARGUMENTS: &[&str] = &["strtod", "strtol", "strtoul", "strtoll", "strtoull"];

/// Is there a conversion `%n`?
fn counts(format: &[u8]) -> bool {
    let mut parts = format.split(|c| *c == b'%').skip(1);
    while let Some(part) = parts.next() {
        match part.iter().find(|c| !b"0123456789-+ #'.*$hlLqjzt".contains(c)) {
            Some(b'n') => return true,
            Some(_) => {}
            // The second of two per cent signs.
            None => _ = parts.next(),
        }
    }
    false
}

/// Does a call need a model that reads strings?
pub(super) fn reads_text(name: &str) -> bool {
    READS.iter().any(|(names, _, what)| matches!(what, Text) && names.contains(&name))
}

/// The call of a model, and what is around it.
pub(super) fn around(
    f: &mut FunctionLowerer<'_, '_>,
    model: &'static Model,
    given: &Given<'_>,
    run: impl FnOnce(&mut FunctionLowerer<'_, '_>) -> Option<Option<ExprId>>,
) -> Option<Option<ExprId>> {
    f.known_effects(model.name, given.args);
    let limit = LIMITS.iter().find(|(names, ..)| names.contains(&model.name));
    let value = match limit {
        Some((_, limit, code)) => limited(f, given, *limit, *code, run)?,
        None => run(f)?,
    };
    f.errno_after(model.name, model.header == "math.h" || FOR_SOME_ARGUMENTS.contains(&model.name), value);
    Some(value)
}

fn limited(
    f: &mut FunctionLowerer<'_, '_>,
    given: &Given<'_>,
    limit: Limit,
    code: i32,
    run: impl FnOnce(&mut FunctionLowerer<'_, '_>) -> Option<Option<ExprId>>,
) -> Option<Option<ExprId>> {
    let fails = exceeds(f, given, limit);
    if f.b.as_constant(fails) == Some(0) {
        return run(f);
    }
    let result = f.temp(INT);
    let fail = |f: &mut FunctionLowerer<'_, '_>| {
        if code < 0 {
            f.set_errno(-code);
        }
        let value = f.int(code.max(-1));
        f.emit(Op::Assign(result, value));
    };
    let mut known = true;
    let succeed = |f: &mut FunctionLowerer<'_, '_>| match run(f) {
        Some(Some(value)) => f.emit(Op::Assign(result, value)),
        _ => known = false,
    };
    f.if_else(fails, fail, succeed);
    known.then(|| Some(f.b.local(result)))
}

fn exceeds(f: &mut FunctionLowerer<'_, '_>, given: &Given<'_>, limit: Limit) -> ExprId {
    match limit {
        Limit::Time(index) => is_wrong_time(f, given, index),
        Limit::Zero(index) => {
            let number = f.truth_arg(given, index);
            f.b.not(number)
        }
        Limit::Below(index, least) => {
            let (number, word) = (f.word_arg(given, index), f.word());
            let least = f.b.constant(word, u128::from(least));
            is_below(f, number, least)
        }
        Limit::Above(index, most) => {
            let number = f.int_arg(given, index);
            let most = f.b.constant(INT, u128::from(most));
            is_below(f, most, number)
        }
        Limit::Open => f.arbitrary(Scalar::BOOL, Input::Doubt),
    }
}

fn is_below(f: &mut FunctionLowerer<'_, '_>, left: ExprId, right: ExprId) -> ExprId {
    match (f.b.as_constant(left), f.b.as_constant(right)) {
        (Some(left), Some(right)) => f.b.int(1, u128::from(left < right)),
        _ => f.b.binary(BinaryOp::ULt, left, right),
    }
}

/// Are the nanoseconds of a time wrong, and is that noticed?
pub(super) fn is_wrong_time(f: &mut FunctionLowerer<'_, '_>, given: &Given<'_>, index: usize) -> ExprId {
    let (time, word) = (f.pointer_arg(given, index), f.word());
    let is_given = f.b.is_true(time);
    if f.b.as_constant(is_given) == Some(0) {
        return is_given;
    }
    let (part, nanoseconds) = (f.offset(time, word.bytes() as i64), f.temp(word));
    let (zero, last) = (f.b.constant(word, 0), f.b.constant(word, 999_999_999));
    let read = |f: &mut FunctionLowerer<'_, '_>| {
        let found = f.load_at(part, word);
        f.emit(Op::Assign(nanoseconds, found));
    };
    f.if_else(is_given, read, |f| f.emit(Op::Assign(nanoseconds, zero)));
    let nanoseconds = f.b.local(nanoseconds);
    let (wrong, noticed) = (f.b.binary(BinaryOp::ULt, last, nanoseconds), f.arbitrary(Scalar::BOOL, Input::Unknown));
    f.b.binary(BinaryOp::And, wrong, noticed)
}

impl FunctionLowerer<'_, '_> {
    /// What a function of this name reads, and which of its effects are left out.
    pub fn known_effects(&mut self, name: &str, args: &[Arg]) {
        for (_, when, text) in LEFT_OUT.iter().filter(|(names, ..)| names.contains(&name)) {
            if self.applies(*when, name, args) {
                self.assume(AssumptionKind::LibraryModel, Direction::Under, name, text);
            }
        }
        for (_, index, what) in READS.iter().filter(|(names, ..)| names.contains(&name)) {
            if let Some(arg) = args.get(*index).filter(|arg| matches!(self.b.ty(arg.value), Scalar::Pointer(_))) {
                self.read_behind(arg.value, *what);
            }
        }
    }

    fn applies(&mut self, when: When, name: &str, args: &[Arg]) -> bool {
        let constant = |index: usize| args.get(index).and_then(|arg| self.b.as_constant(arg.value));
        match when {
            When::Always => true,
            When::Given(index) => constant(index) != Some(0),
            When::Again(index) if constant(index) == Some(0) => false,
            When::Again(_) => {
                let again = self.unit.ledger.entries().iter().any(|entry| entry.subject == name);
                self.assume(AssumptionKind::LibraryModel, Direction::Convention, name, ONCE);
                again
            }
            When::Counts(index) => args.get(index).is_some_and(|format| self.may_count(format, &args[index + 1..])),
            When::Bit(index, bit) => constant(index).is_none_or(|value| value & bit != 0),
        }
    }

    /// Of a format that is not known the types of the arguments are used; lists of arguments have none.
    fn may_count(&self, format: &Arg, args: &[Arg]) -> bool {
        let is_number = |arg: &Arg| matches!(pointed_to(self, arg.ty), Some(Scalar::Int(16..)));
        match literal(self, format.value) {
            Some(format) => counts(&format),
            None => args.iter().any(is_number),
        }
    }

    fn read_behind(&mut self, pointer: ExprId, what: Read) {
        if literal(self, pointer).is_some() {
            return;
        }
        let given = self.b.is_true(pointer);
        match self.b.as_constant(given) {
            Some(0) => {}
            Some(_) => self.read_all(pointer, what),
            None => self.if_else(given, |f| f.read_all(pointer, what), |_| {}),
        }
    }

    fn read_all(&mut self, pointer: ExprId, what: Read) {
        let (count, scalar) = match what {
            Text => return self.read_text(pointer),
            Bytes(count) => (count, Scalar::Int(8)),
            Words(count) => (count, self.word()),
        };
        for i in 0..count {
            let at = self.offset(pointer, (i * scalar.bytes()) as i64);
            self.load_at(at, scalar);
        }
    }

    fn read_text(&mut self, pointer: ExprId) {
        let Some(model) = self.unit.model("strlen") else { return };
        let to = model.result.map(|scalar| self.temp(scalar));
        self.call(program::Callee::Direct(model.id), vec![pointer], to);
    }

    /// What `errno` may be behind a call. `doubtful`: it may be set, but perhaps not by this call.
    pub fn errno_after(&mut self, name: &str, doubtful: bool, value: Option<ExprId>) {
        let how = ERRNO.iter().find(|(names, _)| names.contains(&name)).map(|(_, how)| *how);
        if (how.is_none() && !doubtful) || self.unit.model("__errno_location").is_none() {
            return;
        }
        let is_set = match (how, value) {
            (Some(Errno::Failure), Some(value)) => self.is_failure(value),
            (Some(Errno::MinusOne), Some(value)) => self.is_minus_one(value),
            (Some(Errno::Zero), Some(value)) => {
                let value = self.b.is_true(value);
                self.b.not(value)
            }
            (Some(_), _) => self.arbitrary(Scalar::BOOL, Input::Unknown),
            (None, _) => self.arbitrary(Scalar::BOOL, Input::Doubt),
        };
        self.if_else(is_set, |f| f.set_any_errno(), |_| {});
    }

    fn is_failure(&mut self, value: ExprId) -> ExprId {
        match self.b.ty(value) {
            Scalar::Pointer(_) => {
                let given = self.b.is_true(value);
                self.b.not(given)
            }
            _ => self.is_minus_one(value),
        }
    }

    fn is_minus_one(&mut self, value: ExprId) -> ExprId {
        let none = self.b.constant(self.b.ty(value), u128::MAX);
        self.b.binary(BinaryOp::Eq, value, none)
    }
}

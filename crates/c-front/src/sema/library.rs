//! The real types of library functions, for programs that call them without a declaration.

use std::sync::OnceLock;

use base::{Span, Symbol};
use rustc_hash::FxHashMap;

use super::{Analyzer, Result, error_help};
use crate::ast;
use crate::typed::{Expr, FunctionId};
use crate::types::{FloatKind, FunctionType, IntKind, QualType, Quals, TypeId};

/// Names by type. A signature is one letter for the result, then one for each parameter, see [`Analyzer::letter`];
/// a final dot stands for `...`, a lone `?` behind the result for "nothing is known of the parameters".
const LIBRARY: &[(&str, &str)] = &[
    // Memory and strings.
    ("pz", "malloc valloc pvalloc"),
    ("pzz", "calloc aligned_alloc memalign"),
    ("ppz", "realloc"),
    ("ppzz", "reallocarray"),
    ("vp", "free cfree perror_r"),
    ("ippz", "posix_memalign"),
    ("ppPz", "memcpy memmove mempcpy"),
    ("ppiz", "memset"),
    ("vpz", "bzero explicit_bzero"),
    ("vPpz", "bcopy"),
    ("iPPz", "memcmp bcmp"),
    ("pPiz", "memchr memrchr"),
    ("ppPiz", "memccpy"),
    ("pPzPz", "memmem"),
    ("pPi", "rawmemchr"),
    ("zS", "strlen"),
    ("zSz", "strnlen"),
    ("ssS", "strcpy strcat stpcpy strsep_"),
    ("ssSz", "strncpy strncat stpncpy"),
    ("iSS", "strcmp strcasecmp strcoll"),
    ("iSSz", "strncmp strncasecmp"),
    ("sSi", "strchr strrchr index rindex strchrnul"),
    ("sSS", "strstr strpbrk strcasestr"),
    ("zSS", "strspn strcspn"),
    ("ssS", "strtok"),
    ("ssSp", "strtok_r"),
    ("spS", "strsep"),
    ("sS", "strdup getenv secure_getenv"),
    ("sSz", "strndup"),
    ("si", "strerror strsignal"),
    ("zsSz", "strxfrm"),
    // Conversions and numbers.
    ("iS", "atoi puts system unlink rmdir chdir remove access_ putenv unsetenv"),
    ("lS", "atol"),
    ("qS", "atoll"),
    ("dS", "atof"),
    ("lSpi", "strtol"),
    ("LSpi", "strtoul"),
    ("qSpi", "strtoll"),
    ("QSpi", "strtoull"),
    ("dSp", "strtod"),
    ("fSp", "strtof"),
    ("DSp", "strtold"),
    ("ii", "abs putchar isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace"),
    ("ii", "isupper isxdigit tolower toupper toascii close dup fsync sigsetmask raise pause_ isatty"),
    ("ll", "labs"),
    ("qq", "llabs imaxabs"),
    ("i", "rand getchar getpid getppid fork sched_yield pause getuid geteuid getgid getegid clearenv"),
    ("l", "random"),
    ("vu", "srand srandom"),
    ("vl", "srand48"),
    ("d", "drand48"),
    ("l", "lrand48 mrand48"),
    ("vpzzk", "qsort"),
    ("pPPzzk", "bsearch"),
    // Ending the program.
    ("v", "abort reach_error __VERIFIER_error __VERIFIER_atomic_begin __VERIFIER_atomic_end"),
    ("v", "__CPROVER_atomic_begin __CPROVER_atomic_end __ESBMC_atomic_begin __ESBMC_atomic_end"),
    ("vi", "exit _exit _Exit quick_exit __VERIFIER_assume __VERIFIER_assert assume_abort_if_not assert"),
    ("v?", "__CPROVER_assume __CPROVER_assert __ESBMC_assume __ESBMC_assert"),
    ("vSSuS", "__assert_fail"),
    ("ig", "atexit at_quick_exit"),
    // Input and output.
    ("iS.", "printf scanf"),
    ("isS.", "sprintf"),
    ("iszS.", "snprintf"),
    ("iSS.", "sscanf"),
    ("ipS.", "fprintf fscanf asprintf"),
    ("iiS.", "dprintf"),
    ("iSp", "vprintf vscanf fputs"),
    ("isSp", "vsprintf"),
    ("iszSp", "vsnprintf"),
    ("ipSp", "vfprintf vfscanf vasprintf"),
    ("iSSp", "vsscanf"),
    ("iip", "putc fputc ungetc puts_unlocked"),
    ("ip", "fclose fflush getc fgetc feof ferror pclose fileno"),
    ("vS", "perror"),
    ("vp", "rewind clearerr setbuf_"),
    ("ssip", "fgets"),
    ("ss", "gets"),
    ("pSS", "fopen popen"),
    ("pSSp", "freopen"),
    ("piS", "fdopen"),
    ("p", "tmpfile"),
    ("zpzzp", "fread"),
    ("zPzzp", "fwrite"),
    ("ipli", "fseek"),
    ("lp", "ftell"),
    ("ipsiz", "setvbuf"),
    ("vps", "setbuf"),
    ("iSS", "rename link symlink"),
    ("iSi.", "open"),
    ("iSu", "creat chmod mkdir"),
    ("tipz", "read"),
    ("tiPz", "write"),
    ("ip", "pipe wait"),
    ("iii", "dup2 kill"),
    ("iSi", "access"),
    ("lili", "lseek"),
    ("iiL.", "ioctl"),
    ("iii.", "fcntl"),
    ("uu", "sleep alarm"),
    ("iu", "usleep"),
    // Time.
    ("lp", "time"),
    ("l", "clock"),
    ("iip", "clock_gettime clock_getres"),
    ("ipp", "gettimeofday nanosleep settimeofday"),
    ("dll", "difftime"),
    // Jumps and signals.
    ("ip", "setjmp _setjmp"),
    ("ipi", "sigsetjmp __sigsetjmp"),
    ("vpi", "longjmp siglongjmp _longjmp"),
    ("pip", "signal"),
    // POSIX threads: handles are unsigned long, everything else is passed by pointer.
    ("ipPrp", "pthread_create"),
    ("iLp", "pthread_join"),
    ("iL", "pthread_detach pthread_cancel"),
    ("vp", "pthread_exit"),
    ("L", "pthread_self"),
    ("iLL", "pthread_equal"),
    ("iLi", "pthread_kill"),
    ("ipP", "pthread_mutex_init pthread_cond_init pthread_rwlock_init"),
    ("ip", "pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock"),
    ("ip", "pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast"),
    ("ip", "pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_wrlock"),
    ("ip", "pthread_rwlock_trywrlock pthread_rwlock_unlock"),
    ("ip", "pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock"),
    ("ipi", "pthread_spin_init"),
    ("ipp", "pthread_cond_wait"),
    ("ippP", "pthread_cond_timedwait"),
    ("ipP", "pthread_mutex_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock"),
    ("ipPu", "pthread_barrier_init"),
    ("ip", "pthread_barrier_destroy pthread_barrier_wait"),
    ("ip", "pthread_mutexattr_init pthread_mutexattr_destroy pthread_condattr_init pthread_condattr_destroy"),
    ("ip", "pthread_attr_init pthread_attr_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy"),
    ("ip", "pthread_barrierattr_init pthread_barrierattr_destroy"),
    ("ipi", "pthread_mutexattr_settype pthread_mutexattr_setpshared pthread_attr_setdetachstate"),
    ("ipz", "pthread_attr_setstacksize"),
    ("ipg", "pthread_once"),
    ("ipj", "pthread_key_create"),
    ("iu", "pthread_key_delete"),
    ("iuP", "pthread_setspecific"),
    ("pu", "pthread_getspecific"),
    ("iip", "pthread_setcancelstate pthread_setcanceltype"),
    ("v", "pthread_testcancel pthread_yield"),
    ("ipiu", "sem_init"),
    ("ip", "sem_destroy sem_wait sem_trywait sem_post sem_close"),
    ("ipP", "sem_timedwait"),
    ("ipp", "sem_getvalue"),
    // C11 threads.
    ("ipap", "thrd_create"),
    ("iLp", "thrd_join"),
    ("iL", "thrd_detach"),
    ("L", "thrd_current"),
    ("iLL", "thrd_equal"),
    ("v", "thrd_yield"),
    ("vi", "thrd_exit"),
    ("ipp", "thrd_sleep"),
    ("ipi", "mtx_init"),
    ("ip", "mtx_lock mtx_trylock mtx_unlock cnd_init cnd_signal cnd_broadcast"),
    ("vp", "mtx_destroy cnd_destroy"),
    ("ipp", "mtx_timedlock cnd_wait"),
    ("ippp", "cnd_timedwait"),
    ("vpg", "call_once"),
    ("ipj", "tss_create"),
    ("vu", "tss_delete"),
    ("iup", "tss_set"),
    ("pu", "tss_get"),
    // Arbitrary values.
    ("i", "__VERIFIER_nondet_int __VERIFIER_nondet_pthread_t"),
    ("u", "__VERIFIER_nondet_uint __VERIFIER_nondet_unsigned __VERIFIER_nondet_u32 __VERIFIER_nondet_uint32_t"),
    ("l", "__VERIFIER_nondet_long __VERIFIER_nondet_loff_t"),
    ("L", "__VERIFIER_nondet_ulong __VERIFIER_nondet_sector_t"),
    ("q", "__VERIFIER_nondet_longlong"),
    ("Q", "__VERIFIER_nondet_ulonglong"),
    ("h", "__VERIFIER_nondet_short"),
    ("H", "__VERIFIER_nondet_ushort __VERIFIER_nondet_u16"),
    ("n", "__VERIFIER_nondet_char"),
    ("N", "__VERIFIER_nondet_uchar __VERIFIER_nondet_u8"),
    ("b", "__VERIFIER_nondet_bool __VERIFIER_nondet__Bool"),
    ("d", "__VERIFIER_nondet_double"),
    ("f", "__VERIFIER_nondet_float"),
    ("z", "__VERIFIER_nondet_size_t"),
    ("p", "__VERIFIER_nondet_pointer"),
    ("s", "__VERIFIER_nondet_pchar"),
];

/// Of `double`; with the suffixes `f` and `l` also of `float` and `long double`.
const MATH: &[(&str, &str)] = &[
    ("dd", "acos asin atan cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 exp10 expm1 log log2 log10 log1p"),
    ("dd", "sqrt cbrt fabs floor ceil round trunc rint nearbyint roundeven erf erfc lgamma tgamma logb gamma"),
    ("ddd", "atan2 pow fmod remainder hypot fmax fmin fdim copysign nextafter drem"),
    ("dddd", "fma"),
    ("ddi", "ldexp scalbn powi"),
    ("ddl", "scalbln"),
    ("ddp", "frexp modf"),
    ("dddp", "remquo"),
    ("ld", "lround lrint"),
    ("qd", "llround llrint"),
    ("id", "ilogb"),
    ("dS", "nan"),
];

fn signatures() -> &'static FxHashMap<&'static str, &'static str> {
    static TABLE: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = LIBRARY.iter().chain(MATH);
        rows.flat_map(|(signature, names)| names.split(' ').map(move |name| (name, *signature))).collect()
    })
}

/// The signature of a library function, `f` and `l` variants of mathematics included.
fn signature(name: &str) -> Option<String> {
    if let Some(found) = signatures().get(name) {
        return Some((*found).to_owned());
    }
    let (stem, letter) = match name.strip_suffix('f') {
        Some(stem) => (stem, "f"),
        None => (name.strip_suffix('l')?, "D"),
    };
    let known = MATH.iter().find(|(_, names)| names.split(' ').any(|known| known == stem))?;
    Some(known.0.replace('d', letter))
}

impl Analyzer {
    /// The library function of that name (`__builtin_` is ignored), declared on first use.
    pub(crate) fn library_function(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        let text = self.names.resolve(name);
        let plain = text.strip_prefix("__builtin_").unwrap_or(text);
        let signature = signature(plain)?;
        let plain = plain.to_owned();
        let symbol = self.names.intern(&plain);
        if let Some(&super::linkage::Linked::Function(id)) = self.externals.get(&symbol) {
            return Some(id);
        }
        let ty = self.signature_type(&signature);
        Some(self.declare_implicitly(symbol, ty, span))
    }

    fn signature_type(&mut self, signature: &str) -> TypeId {
        let mut letters = signature.chars();
        let result = self.letter(letters.next().unwrap_or('i'));
        let mut function = FunctionType { result, params: Vec::new(), variadic: false, prototype: true };
        for letter in letters {
            match letter {
                '.' => function.variadic = true,
                '?' => function.prototype = false,
                letter => function.params.push(self.letter(letter)),
            }
        }
        self.function_type(function).ty
    }

    fn letter(&mut self, letter: char) -> QualType {
        let ty = match letter {
            'v' => self.common.void,
            'b' => self.common.boolean,
            'n' => self.common.char,
            'N' => self.int_type(IntKind::UChar),
            'h' => self.int_type(IntKind::Short),
            'H' => self.int_type(IntKind::UShort),
            'u' => self.common.uint,
            'l' => self.common.long,
            'L' => self.int_type(IntKind::ULong),
            'q' => self.int_type(IntKind::LongLong),
            'Q' => self.int_type(IntKind::ULongLong),
            'z' => self.common.size,
            't' => self.common.ptrdiff,
            'f' => self.float_type(FloatKind::Float),
            'd' => self.common.double,
            'D' => self.float_type(FloatKind::LongDouble),
            'p' => self.common.void_pointer,
            's' => self.common.char_pointer,
            'P' => self.types.pointer_to(QualType { ty: self.common.void, quals: Quals::CONST }),
            'S' => self.types.pointer_to(QualType { ty: self.common.char, quals: Quals::CONST }),
            'g' => self.callback("v"),
            'j' => self.callback("vp"),
            'r' => self.callback("pp"),
            'a' => self.callback("ip"),
            'k' => self.callback("iPP"),
            _ => self.common.int,
        };
        QualType::plain(ty)
    }

    /// A pointer to a function.
    fn callback(&mut self, signature: &str) -> TypeId {
        let function = self.signature_type(signature);
        self.types.pointer_to(QualType::plain(function))
    }

    /// `__builtin_memcpy(…)` is `memcpy(…)`; the checked forms lose their checks.
    pub(crate) fn builtin_library_call(
        &mut self,
        name: Symbol,
        args: &[ast::Expr],
        callee: Span,
        span: Span,
    ) -> Result<Expr> {
        let text = self.names.resolve(name).to_owned();
        let plain = text.strip_prefix("__builtin_").unwrap_or(&text);
        let checked = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk"));
        let Some(checked) = checked else {
            return match self.library_function(name, callee) {
                Some(id) => self.direct_call(id, args, span),
                None => {
                    error_help(callee, format!("the builtin ‘{text}’ is not known"), "call a library function instead")
                }
            };
        };
        let symbol = self.names.intern(checked);
        let Some(id) = self.library_function(symbol, callee) else {
            return error_help(callee, format!("the builtin ‘{text}’ is not known"), "call a library function instead");
        };
        let dropped = checks(checked, args.len());
        let mut call = self.direct_call_without(id, args, &dropped, span)?;
        call.span = span;
        Ok(call)
    }
}

/// The positions of the arguments that only serve checking.
fn checks(name: &str, count: usize) -> std::ops::Range<usize> {
    match name {
        "printf" | "vprintf" => 0..1,
        "fprintf" | "vfprintf" => 1..2,
        "sprintf" | "vsprintf" => 1..3,
        "snprintf" | "vsnprintf" => 2..4,
        _ => count.saturating_sub(1)..count,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathematics_has_three_formats() {
        assert_eq!(signature("sin").as_deref(), Some("dd"));
        assert_eq!(signature("powf").as_deref(), Some("fff"));
        assert_eq!(signature("ldexpl").as_deref(), Some("DDi"));
        assert_eq!(signature("lroundf").as_deref(), Some("lf"));
        assert_eq!(signature("nothing"), None);
    }
}

//! Library functions that the model has as edges of the caller: which edge is the call, what of the arguments it keeps.
//!
//! One edge of a mutex serves `pthread_mutex_lock`, `mtx_lock` and others. Which of them the program wrote is told by the text of
//! the call, which is what the edge's span covers.

use program::{
    Allocation, BarrierOp, ConditionOp, Edge, ExprId, LocalId, MODEL_PREFIX, Op, Program, SemaphoreOp, ThreadOp,
};

#[derive(Debug)]
pub struct Primitive {
    pub name: &'static str,
    /// For each parameter which argument of the edge it is; `-` is not kept.
    layout: &'static str,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Any thread operation.
    Thread,
    /// Sleeps by one edge, and has the mutex again by another.
    Wait,
    /// Arrives by one edge, passes by another.
    Barrier,
    Allocate,
    /// Allocates, or frees if the size is zero.
    Resize,
    Free,
    Library,
    Error,
    End,
    Section,
    /// An arbitrary value.
    Input,
}

const fn row(name: &'static str, layout: &'static str, shape: Shape) -> Primitive {
    Primitive { name, layout, shape }
}

use Shape::*;

#[rustfmt::skip]
const PRIMITIVES: &[Primitive] = &[
    row("pthread_create", "0-12", Thread), row("thrd_create", "012", Thread),
    row("pthread_join", "0-", Thread), row("thrd_join", "0-", Thread),
    row("pthread_detach", "0", Thread), row("thrd_detach", "0", Thread),
    row("pthread_exit", "0", Thread), row("thrd_exit", "-", Thread),
    row("pthread_self", "", Thread), row("thrd_current", "", Thread),
    row("pthread_once", "0-", Thread), row("call_once", "0-", Thread),
    row("pthread_mutex_init", "0-", Thread), row("pthread_mutex_destroy", "0", Thread),
    row("pthread_mutex_lock", "0", Thread), row("pthread_mutex_trylock", "0", Thread),
    row("pthread_mutex_timedlock", "0-", Thread), row("pthread_mutex_clocklock", "0--", Thread),
    row("pthread_mutex_unlock", "0", Thread),
    row("pthread_spin_init", "0-", Thread), row("pthread_spin_destroy", "0", Thread),
    row("pthread_spin_lock", "0", Thread), row("pthread_spin_trylock", "0", Thread),
    row("pthread_spin_unlock", "0", Thread),
    row("mtx_init", "0-", Thread), row("mtx_destroy", "0", Thread), row("mtx_lock", "0", Thread),
    row("mtx_trylock", "0", Thread), row("mtx_timedlock", "0-", Thread), row("mtx_unlock", "0", Thread),
    row("pthread_rwlock_init", "0-", Thread), row("pthread_rwlock_destroy", "0", Thread),
    row("pthread_rwlock_rdlock", "0", Thread), row("pthread_rwlock_wrlock", "0", Thread),
    row("pthread_rwlock_tryrdlock", "0", Thread), row("pthread_rwlock_trywrlock", "0", Thread),
    row("pthread_rwlock_timedrdlock", "0-", Thread), row("pthread_rwlock_timedwrlock", "0-", Thread),
    row("pthread_rwlock_clockrdlock", "0--", Thread), row("pthread_rwlock_clockwrlock", "0--", Thread),
    row("pthread_rwlock_unlock", "0", Thread),
    row("pthread_cond_init", "0-", Thread), row("pthread_cond_destroy", "0", Thread),
    row("pthread_cond_signal", "0", Thread), row("pthread_cond_broadcast", "0", Thread),
    row("pthread_cond_wait", "01", Wait), row("pthread_cond_timedwait", "01-", Wait),
    row("pthread_cond_clockwait", "01--", Wait),
    row("cnd_init", "0", Thread), row("cnd_destroy", "0", Thread), row("cnd_signal", "0", Thread),
    row("cnd_broadcast", "0", Thread), row("cnd_wait", "01", Wait), row("cnd_timedwait", "01-", Wait),
    row("pthread_barrier_init", "0-1", Thread), row("pthread_barrier_destroy", "0", Thread),
    row("pthread_barrier_wait", "0", Barrier),
    row("sem_init", "0-1", Thread), row("sem_destroy", "0", Thread), row("sem_wait", "0", Thread),
    row("sem_trywait", "0", Thread), row("sem_timedwait", "0-", Thread), row("sem_clockwait", "0--", Thread),
    row("sem_post", "0", Thread), row("sem_getvalue", "0-", Thread),
    row("pthread_key_create", "-0", Thread), row("pthread_key_delete", "0", Thread),
    row("pthread_setspecific", "01", Thread), row("pthread_getspecific", "0", Thread),
    row("tss_create", "-0", Thread), row("tss_delete", "0", Thread), row("tss_set", "01", Thread),
    row("tss_get", "0", Thread),
    row("malloc", "0", Allocate), row("calloc", "--", Allocate), row("realloc", "10", Resize),
    row("reallocarray", "1--", Resize), row("aligned_alloc", "-0", Allocate), row("memalign", "-0", Allocate),
    row("posix_memalign", "--0", Allocate), row("valloc", "0", Allocate), row("pvalloc", "0", Allocate),
    row("alloca", "0", Allocate), row("free", "0", Free), row("cfree", "0", Free),
    row("printf", "0*", Library), row("fprintf", "01*", Library), row("snprintf", "012*", Library),
    row("puts", "0", Library), row("putchar", "0", Library),
    row("reach_error", "", Error), row("__VERIFIER_error", "", Error), row("__assert_fail", "----", Error),
    row("abort", "", End), row("exit", "-", End), row("_Exit", "-", End), row("_exit", "-", End),
    row("quick_exit", "-", End),
    row("__VERIFIER_atomic_begin", "", Section), row("__VERIFIER_atomic_end", "", Section),
];

/// A function whose model is an arbitrary value: its edges are known by the name in the text alone.
pub const ARBITRARY: Primitive = row("", "*", Input);

/// Functions whose result the model does not keep.
const NO_RESULT: &[&str] = &[
    "pthread_exit",
    "thrd_exit",
    "pthread_once",
    "call_once",
    "pthread_key_create",
    "pthread_key_delete",
    "pthread_setspecific",
    "tss_create",
    "tss_delete",
    "tss_set",
    "posix_memalign",
];

/// What is known of an argument or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    Expr(ExprId),
    Local(LocalId),
    Number(i128),
    Missing,
}

pub fn names<'n>() -> impl Iterator<Item = &'n str> {
    PRIMITIVES.iter().map(|primitive| primitive.name)
}

pub fn primitive(name: &str) -> Option<&'static Primitive> {
    PRIMITIVES.iter().find(|primitive| primitive.name == name)
}

/// The name of the function that the text of an edge calls.
pub fn written<'p>(program: &'p Program, edge: &Edge) -> &'p str {
    let text = program.sources.snippet(edge.span).trim_start_matches(['(', '*', '&', ' ']);
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let name = text[..end].trim_start_matches(MODEL_PREFIX);
    name.strip_prefix("__builtin_").unwrap_or(name)
}

impl Primitive {
    /// How many parameters there are; `None` for any number.
    pub fn parameters(&self) -> Option<usize> {
        (!self.layout.ends_with('*')).then_some(self.layout.len())
    }

    /// False: the model forgets this argument.
    pub fn keeps(&self, parameter: usize) -> bool {
        match self.layout.as_bytes().get(parameter) {
            None | Some(b'*') => self.layout.ends_with('*') && self.shape == Library,
            Some(index) => *index != b'-',
        }
    }

    pub fn keeps_result(&self) -> bool {
        !matches!(self.shape, Wait | Error | End | Section | Free) && !NO_RESULT.contains(&self.name)
    }

    pub fn is_call(&self, op: &Op) -> bool {
        match (self.shape, op) {
            (Wait, Op::Thread(op)) => matches!(**op, ThreadOp::Condition { op: ConditionOp::Sleep { .. }, .. }),
            (Barrier, Op::Thread(op)) => matches!(**op, ThreadOp::Barrier { op: BarrierOp::Arrive, .. }),
            (Thread, Op::Thread(op)) => !matches!(**op, ThreadOp::OnceEnd { .. }),
            (Allocate | Resize, Op::Allocate(_)) => true,
            (Free | Resize, Op::Free(_)) => true,
            (Library, Op::Library(_)) | (Error, Op::Error(_)) | (End, Op::End(_)) | (Input, Op::Havoc(..)) => true,
            (Section, Op::AtomicBegin | Op::AtomicEnd) => true,
            _ => false,
        }
    }

    /// The function returns behind such an edge.
    pub fn is_return(&self, op: &Op) -> bool {
        match (self.shape, op) {
            (Wait, Op::Thread(op)) => matches!(**op, ThreadOp::Mutex { .. }),
            (Barrier, Op::Thread(op)) => matches!(**op, ThreadOp::Barrier { op: BarrierOp::Pass, .. }),
            (Error | End, _) => false,
            _ => self.is_call(op) && !op.is_final(),
        }
    }

    pub fn argument(&self, op: &Op, parameter: usize) -> Argument {
        let given = arguments(op);
        let index = match self.layout.as_bytes().get(parameter) {
            Some(b'-') => return Argument::Missing,
            Some(digit @ b'0'..=b'9') => usize::from(digit - b'0'),
            _ if self.shape == Library => parameter,
            _ => return Argument::Missing,
        };
        match (self.shape, op, index) {
            // Size zero frees.
            (Resize, Op::Free(_), 0) => Argument::Number(0),
            (Resize, Op::Free(block), _) => Argument::Expr(*block),
            // Without a block a new one is made.
            (Resize, Op::Allocate(_), 1) if given.len() == 1 => Argument::Number(0),
            _ => given.get(index).map_or(Argument::Missing, |expr| Argument::Expr(*expr)),
        }
    }

    /// What the function gave, behind an edge that returns.
    pub fn result(&self, op: &Op) -> Argument {
        match op {
            Op::Free(_) if self.shape == Resize => Argument::Number(0),
            op => op.result().map_or(Argument::Missing, Argument::Local),
        }
    }
}

/// What an edge was given, in the order that layouts count in.
fn arguments(op: &Op) -> Vec<ExprId> {
    match op {
        Op::Free(block) => vec![*block],
        Op::Library(call) => call.args.to_vec(),
        Op::Allocate(allocate) => match allocate.kind {
            Allocation::Realloc(block) => vec![allocate.size, block],
            _ => vec![allocate.size],
        },
        Op::Thread(op) => match &**op {
            ThreadOp::Create { handle, entry, arg, .. } => vec![handle.address, *entry, *arg],
            ThreadOp::Join { thread, .. } | ThreadOp::Detach { thread, .. } => vec![*thread],
            ThreadOp::Exit { value } => vec![*value],
            ThreadOp::Mutex { mutex, .. } => vec![*mutex],
            ThreadOp::RwLock { lock, .. } => vec![*lock],
            ThreadOp::Condition { op: ConditionOp::Sleep { mutex }, condition, .. } => vec![*condition, *mutex],
            ThreadOp::Condition { condition, .. } => vec![*condition],
            ThreadOp::Barrier { op: BarrierOp::Init { count }, barrier, .. } => vec![*barrier, *count],
            ThreadOp::Barrier { barrier, .. } => vec![*barrier],
            ThreadOp::Semaphore { op: SemaphoreOp::Init { value }, semaphore, .. } => vec![*semaphore, *value],
            ThreadOp::Semaphore { semaphore, .. } => vec![*semaphore],
            ThreadOp::OnceBegin { control, .. } => vec![*control],
            ThreadOp::KeyCreate { destructor, .. } => vec![*destructor],
            ThreadOp::KeyDelete { key } | ThreadOp::KeyGet { key, .. } => vec![*key],
            ThreadOp::KeySet { key, value } => vec![*key, *value],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

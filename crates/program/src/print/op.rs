//! What edges do.

use std::fmt;

use super::FunctionText;
use super::expr::scalar;
use crate::{
    Access, Allocate, Allocation, BarrierOp, Callee, ConditionOp, End, ErrorKind, ExprId, Input, Library, LocalId,
    MutexOp, Op, Order, RwLockOp, SemaphoreOp, ThreadOp,
};

pub struct OpText<'a> {
    function: &'a FunctionText<'a>,
    op: &'a Op,
}

impl<'a> FunctionText<'a> {
    pub(super) fn op(&'a self, op: &'a Op) -> OpText<'a> {
        OpText { function: self, op }
    }

    fn args(&self, args: &[ExprId]) -> String {
        args.iter().map(|arg| self.expr(*arg).to_string()).collect::<Vec<_>>().join(", ")
    }

    /// `x := `, or nothing.
    fn target(&self, to: Option<LocalId>) -> String {
        to.map_or(String::new(), |to| format!("{} := ", &self.locals[to]))
    }

    /// `i32 [p + 8]`; `i3 [p : 2, unit -1+4]` is a bit-field of three bits from bit 2 on, in a memory location of four bytes that
    /// begins one byte before.
    fn access(&self, access: &Access) -> String {
        let order = match access.order {
            Order::Plain => "",
            Order::Atomic => "atomic ",
        };
        let bits =
            access.bits.as_ref().map_or(String::new(), |b| format!(" : {}, unit -{}+{}", b.start, b.before, b.length));
        format!("{order}{} [{}{bits}]", scalar(access.ty), self.expr(access.address))
    }
}

impl fmt::Display for OpText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function;
        let name = |local: LocalId| &function.locals[local];
        match self.op {
            Op::Skip => f.write_str("skip"),
            Op::Assume(condition) => write!(f, "assume {}", function.expr(*condition)),
            Op::Assign(to, value) => write!(f, "{} := {}", name(*to), function.expr(*value)),
            Op::Havoc(to, input) => write!(f, "{} := {}", name(*to), input_name(*input)),
            Op::Load { to, from } => write!(f, "{} := load {}", name(*to), function.access(from)),
            Op::Store { to, value } => write!(f, "store {} := {}", function.access(to), function.expr(*value)),
            Op::Modify(modify) => {
                let access = function.access(&modify.access);
                write!(f, "{} := modify {access} := {}", name(modify.old), function.expr(modify.new))
            }
            Op::CompareExchange(exchange) => write!(
                f,
                "{}, {} := exchange{} {} from {} to {}",
                name(exchange.old),
                name(exchange.success),
                if exchange.weak { " weak" } else { "" },
                function.access(&exchange.access),
                function.expr(exchange.expected),
                function.expr(exchange.desired)
            ),
            Op::Enter(local) => write!(f, "enter {}", name(*local)),
            Op::Clear(local) => write!(f, "clear {}", name(*local)),
            Op::Leave(local) => write!(f, "leave {}", name(*local)),
            Op::Call(call) => {
                write!(f, "{}call ", function.target(call.to))?;
                match call.callee {
                    Callee::Direct(id) => f.write_str(&function.names.function(id))?,
                    Callee::Indirect(pointer) => write!(f, "*({})", function.expr(pointer))?,
                }
                write!(f, "({})", function.args(&call.args))
            }
            Op::Return => match function.function.result {
                Some(result) => write!(f, "return {}", name(result)),
                None => f.write_str("return"),
            },
            Op::Allocate(allocate) => f.write_str(&allocation(function, allocate)),
            Op::Free(pointer) => write!(f, "free {}", function.expr(*pointer)),
            Op::Thread(op) => f.write_str(&thread(function, op)),
            Op::AtomicBegin => f.write_str("atomic begin"),
            Op::AtomicEnd => f.write_str("atomic end"),
            Op::Error(ErrorKind::ErrorCall) => f.write_str("error call"),
            Op::Error(ErrorKind::Assert) => f.write_str("error assert"),
            Op::Error(ErrorKind::Label) => f.write_str("error label"),
            Op::End(End::Return) => f.write_str("end return"),
            Op::End(End::Exit) => f.write_str("end exit"),
            Op::End(End::Abort) => f.write_str("end abort"),
            Op::End(End::Cut) => f.write_str("end cut"),
            Op::CommandLine { count, vector } => write!(f, "{}, {} := command line", name(*count), name(*vector)),
            Op::Library(call) => {
                let target = function.target(call.to);
                write!(f, "{target}library {}({})", library_name(call.function), function.args(&call.args))
            }
            Op::Overwrite(overwrite) => {
                let what = if overwrite.writes() { "overwrite numbers" } else { "read" };
                write!(f, "{what} at {}", function.expr(overwrite.address))?;
                write!(f, ", {} of {}", if overwrite.all { "all elements" } else { "1" }, overwrite.size)
            }
            Op::Unsupported(what) => write!(f, "unsupported: {what}"),
        }
    }
}

fn input_name(input: Input) -> &'static str {
    match input {
        Input::Nondet => "nondet",
        Input::Uninitialised => "uninitialised",
        Input::Unknown => "unknown",
        Input::Imprecise => "imprecise",
        Input::Doubt => "doubt",
    }
}

fn allocation(function: &FunctionText, allocate: &Allocate) -> String {
    let to = &function.locals[allocate.to];
    let size = function.expr(allocate.size);
    let what = match allocate.kind {
        Allocation::Heap => format!("heap({size})"),
        Allocation::HeapZeroed => format!("heap zeroed({size})"),
        Allocation::Realloc(old) => format!("heap again({}, {size})", function.expr(old)),
        Allocation::Frame => format!("frame({size})"),
        Allocation::Variable(local) => format!("enter {}({size})", &function.locals[local]),
    };
    format!("{to} := allocate {what} align {}", allocate.align)
}

fn library_name(library: Library) -> &'static str {
    match library {
        Library::Print => "print",
        Library::PrintTo => "print_to",
        Library::Format => "format",
        Library::PrintList => "print_list",
        Library::PrintListTo => "print_list_to",
        Library::FormatList => "format_list",
        Library::PutChar => "put_char",
        Library::PutLine => "put_line",
    }
}

fn thread(function: &FunctionText, op: &ThreadOp) -> String {
    let e = |id: &ExprId| function.expr(*id).to_string();
    let n = |local: &LocalId| &function.locals[*local];
    match op {
        ThreadOp::Create { handle, entry, arg, detached, to } => {
            let handle = function.access(handle);
            format!("{} := thread create {handle} := {}({}), detached {}", n(to), e(entry), e(arg), e(detached))
        }
        ThreadOp::Join { thread, value, to } => format!("{}, {} := thread join {}", n(to), n(value), e(thread)),
        ThreadOp::Detach { thread, to } => format!("{} := thread detach {}", n(to), e(thread)),
        ThreadOp::Exit { value } => format!("thread exit {}", e(value)),
        ThreadOp::Current { to } => format!("{} := thread current", n(to)),
        ThreadOp::CleanupPush { routine, arg } => format!("cleanup push {}({})", e(routine), e(arg)),
        ThreadOp::CleanupPop { routine, arg } => format!("{}, {} := cleanup pop", n(routine), n(arg)),
        ThreadOp::Mutex { op, mutex, to, .. } => format!("{} := mutex {} {}", n(to), mutex_op(&e, *op), e(mutex)),
        ThreadOp::RwLock { op, lock, to, .. } => format!("{} := rwlock {} {}", n(to), rwlock_op(*op), e(lock)),
        ThreadOp::Condition { op, condition, to, .. } => {
            format!("{} := condition {} {}", n(to), condition_op(&e, *op), e(condition))
        }
        ThreadOp::Barrier { op, barrier, to, .. } => {
            format!("{} := barrier {} {}", n(to), barrier_op(&e, *op), e(barrier))
        }
        ThreadOp::Semaphore { op, semaphore, to, .. } => {
            format!("{} := semaphore {} {}", n(to), semaphore_op(&e, *op), e(semaphore))
        }
        ThreadOp::OnceBegin { control, to, .. } => format!("{} := once begin {}", n(to), e(control)),
        ThreadOp::OnceEnd { control } => format!("once end {}", e(control)),
        ThreadOp::KeyCreate { destructor, to } => format!("{} := key create {}", n(to), e(destructor)),
        ThreadOp::KeyDelete { key } => format!("key delete {}", e(key)),
        ThreadOp::KeySet { key, value } => format!("key set {} := {}", e(key), e(value)),
        ThreadOp::KeyGet { key, to } => format!("{} := key get {}", n(to), e(key)),
    }
}

fn mutex_op(e: &dyn Fn(&ExprId) -> String, op: MutexOp) -> String {
    match op {
        MutexOp::Init { kind } => format!("init(kind {})", e(&kind)),
        MutexOp::Destroy => "destroy".to_owned(),
        MutexOp::Lock => "lock".to_owned(),
        MutexOp::TryLock => "trylock".to_owned(),
        MutexOp::TimedLock => "timedlock".to_owned(),
        MutexOp::Unlock => "unlock".to_owned(),
    }
}

fn rwlock_op(op: RwLockOp) -> &'static str {
    match op {
        RwLockOp::Init => "init",
        RwLockOp::Destroy => "destroy",
        RwLockOp::ReadLock => "rdlock",
        RwLockOp::WriteLock => "wrlock",
        RwLockOp::TryReadLock => "tryrdlock",
        RwLockOp::TryWriteLock => "trywrlock",
        RwLockOp::TimedReadLock => "timedrdlock",
        RwLockOp::TimedWriteLock => "timedwrlock",
        RwLockOp::Unlock => "unlock",
    }
}

fn condition_op(e: &dyn Fn(&ExprId) -> String, op: ConditionOp) -> String {
    match op {
        ConditionOp::Init => "init".to_owned(),
        ConditionOp::Destroy => "destroy".to_owned(),
        ConditionOp::Sleep { mutex } => format!("sleep(unlock {})", e(&mutex)),
        ConditionOp::Wake { timed: false } => "wake".to_owned(),
        ConditionOp::Wake { timed: true } => "timedwake".to_owned(),
        ConditionOp::Signal => "signal".to_owned(),
        ConditionOp::Broadcast => "broadcast".to_owned(),
    }
}

fn barrier_op(e: &dyn Fn(&ExprId) -> String, op: BarrierOp) -> String {
    match op {
        BarrierOp::Init { count } => format!("init(count {})", e(&count)),
        BarrierOp::Destroy => "destroy".to_owned(),
        BarrierOp::Arrive => "arrive".to_owned(),
        BarrierOp::Pass => "pass".to_owned(),
    }
}

fn semaphore_op(e: &dyn Fn(&ExprId) -> String, op: SemaphoreOp) -> String {
    match op {
        SemaphoreOp::Init { value } => format!("init(value {})", e(&value)),
        SemaphoreOp::Destroy => "destroy".to_owned(),
        SemaphoreOp::Wait => "wait".to_owned(),
        SemaphoreOp::TryWait => "trywait".to_owned(),
        SemaphoreOp::TimedWait => "timedwait".to_owned(),
        SemaphoreOp::Post => "post".to_owned(),
        SemaphoreOp::Value => "value".to_owned(),
    }
}

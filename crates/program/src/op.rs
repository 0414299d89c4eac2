//! What an edge does.

use crate::{ExprId, FunctionId, LocalId, Scalar};

#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    Skip,
    /// Passes if the condition, of type `Int(1)`, is true. Leaves every branch of a location with one edge that passes.
    Assume(ExprId),
    /// A plain local takes a value.
    Assign(LocalId, ExprId),
    /// A plain local takes any value of its type: an input.
    Havoc(LocalId, Input),
    Load {
        to: LocalId,
        from: Access,
    },
    Store {
        to: Access,
        value: ExprId,
    },
    /// Atomic read-modify-write.
    Modify(Box<Modify>),
    CompareExchange(Box<CompareExchange>),
    /// A local in memory is an object with arbitrary contents: a new one, unless it has one.
    Enter(LocalId),
    /// All bytes of a local in memory become zero: its declaration is passed, so no other thread can reach it yet.
    Clear(LocalId),
    /// The object of a local in memory ends; nothing happens if it has none.
    Leave(LocalId),
    Call(Box<Call>),
    /// Ends the frame; the caller's target takes the value of the function's result local.
    Return,
    Allocate(Box<Allocate>),
    /// Frees heap memory. Null does nothing.
    Free(ExprId),
    Thread(Box<ThreadOp>),
    /// Atomic sections are dynamic and counted.
    AtomicBegin,
    AtomicEnd,
    /// The program says that something is wrong. The run goes on behind this edge.
    Error(ErrorKind),
    /// Ends the program: all threads stop.
    End(End),
    /// The command line, for a `main` that takes it: the number of arguments, and a pointer to that many strings and a null pointer.
    CommandLine {
        count: LocalId,
        vector: LocalId,
    },
    /// A library function that the interpreter carries out itself.
    Library(Box<LibraryCall>),
    /// What a function without a body may do to memory that it is handed.
    Overwrite(Box<Overwrite>),
    /// Reaching this edge means that the run is not understood.
    Unsupported(Box<str>),
}

impl Op {
    /// The frame, the thread or the program ends: nothing runs behind such an edge.
    pub fn is_final(&self) -> bool {
        match self {
            Op::Return | Op::End(_) => true,
            Op::Thread(op) => matches!(**op, ThreadOp::Exit { .. }),
            _ => false,
        }
    }
}

/// Why a value is arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// The program reads it (`__VERIFIER_nondet_int`).
    Nondet,
    /// An uninitialised variable.
    Uninitialised,
    /// The result of a function without a body, or of one that is modelled so.
    Unknown,
    /// The result of a model, or of assembly, that allows more than can happen: what depends on it is only a candidate.
    Imprecise,
    /// Whether something happens that may not be possible: what depends on it is only a candidate if it does.
    Doubt,
}

impl Input {
    /// Is a run only a candidate in which this input has this value?
    pub fn is_imprecise(self, value: u128) -> bool {
        self == Input::Imprecise || self == Input::Doubt && value != 0
    }
}

/// One scalar in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    pub address: ExprId,
    /// For a bit-field, an integer of its width.
    pub ty: Scalar,
    pub bits: Option<Box<Bits>>,
    pub order: Order,
}

impl Access {
    /// The bytes that hold the scalar, from the address on.
    pub fn length(&self) -> u64 {
        match &self.bits {
            None => self.ty.bytes(),
            Some(bits) => u64::from(u32::from(bits.start) + self.ty.bits()).div_ceil(8),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Plain,
    Atomic,
}

/// A bit-field: the `ty.bits()` bits from bit `start` on (`start < 8`), counted from the address. Adjacent bit-fields are one
/// memory location: it begins `before` bytes before the address and is `length` bytes long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    pub start: u8,
    pub before: u32,
    pub length: u32,
}

/// `old` takes the value, then the memory takes `new`, which may mention `old`; both at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Modify {
    pub access: Access,
    pub old: LocalId,
    pub new: ExprId,
}

/// `old` takes the value; if it is `expected` the memory takes `desired` and `success` (`Int(1)`) is true; all at once.
/// A weak one may fail although it is.
#[derive(Clone, PartialEq, Debug)]
pub struct CompareExchange {
    pub access: Access,
    pub expected: ExprId,
    pub desired: ExprId,
    pub old: LocalId,
    pub success: LocalId,
    pub weak: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub callee: Callee,
    /// One for each parameter of a direct callee.
    pub args: Box<[ExprId]>,
    pub to: Option<LocalId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Direct(FunctionId),
    Indirect(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Allocate {
    pub to: LocalId,
    /// In bytes, a word.
    pub size: ExprId,
    pub kind: Allocation,
    pub align: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Allocation {
    /// Arbitrary contents.
    Heap,
    HeapZeroed,
    /// The contents of the block at this pointer, as far as they fit; that block is given back.
    /// The copy is one step: the old block must not be in use elsewhere.
    Realloc(ExprId),
    /// Ends with the frame: `alloca`.
    Frame,
    /// Ends by `Leave` of that local, whose object it is: an array of variable length.
    Variable(LocalId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ErrorKind {
    /// `reach_error`, `__VERIFIER_error`.
    ErrorCall,
    /// A failed assertion.
    Assert,
    /// The label `ERROR`, in programs that have no other sign.
    Label,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Return from `main`.
    Return,
    Exit,
    Abort,
    /// An assumption failed: the run does not count.
    Cut,
}

#[derive(Clone, PartialEq, Debug)]
pub struct LibraryCall {
    pub function: Library,
    pub args: Box<[ExprId]>,
    pub to: Option<LocalId>,
}

/// The numbers of the element at the address, as far as the object has it, or of all elements of the object, become arbitrary. Bytes
/// of pointers stay; nothing happens where nothing may be written. Without numbers the elements are only read.
#[derive(Clone, PartialEq, Debug)]
pub struct Overwrite {
    pub address: ExprId,
    /// Bytes of an element, not zero.
    pub size: u64,
    /// All elements, those before the address too.
    pub all: bool,
    /// The numbers of an element.
    pub numbers: Box<[Numbers]>,
}

/// So many numbers of `bytes` bytes each, at most eight, `stride` bytes apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbers {
    pub offset: u64,
    pub bytes: u64,
    pub count: u64,
    pub stride: u64,
}

impl Overwrite {
    pub fn writes(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Where the first element starts, with an address at this offset in its object.
    pub fn start(&self, offset: u64) -> u64 {
        if self.all { offset % self.size } else { offset }
    }

    /// Bytes that are accessed at most, where so many are left in the object from the first element on.
    pub fn extent(&self, left: u64) -> u64 {
        (left / self.size).min(if self.all { u64::MAX } else { 1 }) * self.size
    }

    /// Every byte of an element is part of a number.
    pub fn is_dense(&self) -> bool {
        self.numbers.iter().map(|numbers| numbers.bytes * numbers.count).sum::<u64>() == self.size
    }

    /// Where the numbers are, counted from the first element, and their bytes, where so many are left in the object.
    pub fn places(&self, left: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0..self.extent(left)).step_by(self.size as usize).flat_map(|element| {
            self.numbers.iter().flat_map(move |numbers| {
                (0..numbers.count).map(move |i| (element + numbers.offset + i * numbers.stride, numbers.bytes))
            })
        })
    }
}

/// Library functions with an effect outside the program's memory, or on a range of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// `(format, values…)`, printed on standard output.
    Print,
    /// `(stream, format, values…)`
    PrintTo,
    /// `(buffer, size, format, values…)`: writes at most `size` bytes.
    Format,
    /// `(format, pointer to va_list, )`; the values are read from it.
    PrintList,
    PrintListTo,
    FormatList,
    /// `(character)`
    PutChar,
    /// `(string)`, with a line end.
    PutLine,
}

impl LibraryCall {
    /// The values are read from a list, the last argument.
    pub fn takes_list(&self) -> bool {
        matches!(self.function, Library::PrintList | Library::PrintListTo | Library::FormatList)
    }

    /// Does it write to where this argument points? A list is moved on.
    pub fn writes(&self, index: usize) -> bool {
        let formats = matches!(self.function, Library::Format | Library::FormatList);
        formats && index == 0 || self.takes_list() && index + 1 == self.args.len()
    }
}

/// Threads and their means to wait for each other. Results are C's: zero, or an error number.
#[derive(Clone, PartialEq, Debug)]
pub enum ThreadOp {
    /// Stores the handle, then the new thread can run `entry(arg)`.
    Create {
        handle: Access,
        entry: ExprId,
        arg: ExprId,
        detached: ExprId,
        to: LocalId,
    },
    /// Waits for the thread to end; `value` takes what it returned, as a pointer.
    Join {
        thread: ExprId,
        value: LocalId,
        to: LocalId,
    },
    Detach {
        thread: ExprId,
        to: LocalId,
    },
    /// Ends this thread: clean-up handlers and destructors of keys run, then joiners are woken.
    Exit {
        value: ExprId,
    },
    /// The handle of this thread.
    Current {
        to: LocalId,
    },
    CleanupPush {
        routine: ExprId,
        arg: ExprId,
    },
    /// Removes the newest handler; the two locals take it, for the caller to call.
    CleanupPop {
        routine: LocalId,
        arg: LocalId,
    },
    /// `size`, here and below: how many bytes the object takes.
    Mutex {
        op: MutexOp,
        mutex: ExprId,
        size: u64,
        to: LocalId,
    },
    RwLock {
        op: RwLockOp,
        lock: ExprId,
        size: u64,
        to: LocalId,
    },
    Condition {
        op: ConditionOp,
        condition: ExprId,
        size: u64,
        to: LocalId,
    },
    Barrier {
        op: BarrierOp,
        barrier: ExprId,
        size: u64,
        to: LocalId,
    },
    Semaphore {
        op: SemaphoreOp,
        semaphore: ExprId,
        size: u64,
        to: LocalId,
    },
    /// `to` is 1 for the one thread that must run the routine, then `OnceEnd`; others wait until then and get 0.
    OnceBegin {
        control: ExprId,
        size: u64,
        to: LocalId,
    },
    OnceEnd {
        control: ExprId,
    },
    /// Makes a key; `to` takes it. The value is null in every thread.
    KeyCreate {
        destructor: ExprId,
        to: LocalId,
    },
    KeyDelete {
        key: ExprId,
    },
    KeySet {
        key: ExprId,
        value: ExprId,
    },
    KeyGet {
        key: ExprId,
        to: LocalId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MutexOp {
    /// The kind is C's number: 0 normal, 1 recursive, 2 error-checking.
    Init {
        kind: ExprId,
    },
    Destroy,
    Lock,
    /// Fails with EBUSY if held.
    TryLock,
    /// May fail with ETIMEDOUT if held.
    TimedLock,
    Unlock,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RwLockOp {
    Init,
    Destroy,
    ReadLock,
    WriteLock,
    TryReadLock,
    TryWriteLock,
    TimedReadLock,
    TimedWriteLock,
    Unlock,
}

/// Waiting is three edges: `Sleep` (gives the mutex back and joins the waiters, at once), `Wake` (possible when signalled, or
/// spuriously), then a `Lock` of the mutex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConditionOp {
    Init,
    Destroy,
    Sleep {
        mutex: ExprId,
    },
    /// A timed one may also wake with ETIMEDOUT.
    Wake {
        timed: bool,
    },
    /// Wakes any one waiter, if there is one.
    Signal,
    Broadcast,
}

/// Waiting is two edges: `Arrive` (counts; the last one releases all), then `Pass` (possible once released).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierOp {
    Init {
        count: ExprId,
    },
    Destroy,
    Arrive,
    /// PTHREAD_BARRIER_SERIAL_THREAD (-1) in the thread that arrived last, else 0.
    Pass,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SemaphoreOp {
    Init {
        value: ExprId,
    },
    Destroy,
    Wait,
    /// -1 if the value is zero.
    TryWait,
    /// May give -1 if the value is zero.
    TimedWait,
    Post,
    /// `to` takes the value.
    Value,
}

//! The step relation, written once: what an edge does to data, over any store. Stores are the interpreter's states with concrete
//! values, abstract memories, sets of valuations: an interpreter parameterised by its values and its memory, as in Darais, Labich,
//! Nguyen and Van Horn, "Abstracting Definitional Interpreters" (ICFP 2017).
//!
//! Control (where threads are, who holds which lock) is decided before: see [`Control`]. Where a rule has several continuations (a
//! comparison that is not decided, a choice of the environment) a store that follows all of them stops the step and has it
//! executed again with each answer; nothing is changed for good before everything is evaluated.

use program::{
    Access, Allocate, Allocation, Callee, CompareExchange, Edge, End, ErrorKind, ExprId, FunctionId, Input,
    LibraryCall, LocalId, Op, Overwrite, Scalar, Storage, ThreadOp,
};

use crate::access::LONGEST_ARRAY;
use crate::live::Liveness;
use crate::step::Undefined;

/// What a step does to control, and the result of a thread operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// Not decided yet.
    Open,
    /// Control passes along the edge.
    Plain,
    /// The frame of this function is pushed.
    Call(FunctionId),
    /// The frame ends and its caller goes on.
    Return,
    /// A thread of this number begins there. The operation yields 0.
    Create { thread: u32, entry: FunctionId },
    /// The ended thread's result is taken; the operation yields 0.
    Join { thread: u32 },
    /// An ended thread is detached: no join takes its result. The operation yields 0.
    Detach { thread: u32 },
    /// A signal wakes this one of several waiters; it yields 0.
    Wake { thread: u32 },
    /// A thread operation without influence on data, but for what it yields.
    Yield(i64),
    /// The newest handler is removed.
    Pop(Option<FunctionId>),
    /// A key of thread-specific values, by its number.
    Key(u32),
    /// An exchange of pointers: the component that keeps pointers decides it.
    Exchange { success: bool },
    /// The thread is terminating: it returned from its first function or a handler, or called `pthread_exit`.
    Leave(Then),
}

/// What a terminating thread does next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Then {
    /// The newest clean-up handler runs; frames stay.
    Handler(FunctionId),
    /// All frames end; the destructor runs with the value of the key, which becomes null.
    Destructor(FunctionId, u32),
    /// All frames end, and the thread.
    Finish,
    /// The same, of a detached thread: no join takes its result.
    Vanish,
}

/// The store of the step relation, as the thread that makes the step sees it.
pub trait Store {
    type Value: Clone;
    /// Where an access leads.
    type Place;
    type Object: Copy;
    /// Why the step does not go on.
    type Stop;

    /// The running function before the step.
    fn function(&self) -> &program::Function;
    fn liveness(&self) -> &Liveness;
    /// The running thread.
    fn thread(&self) -> u32;

    // Values.

    fn value(&mut self, expr: ExprId) -> Result<Self::Value, Self::Stop>;
    /// The size of an allocation, if it is kept.
    fn size(&mut self, expr: ExprId) -> Result<Option<u64>, Self::Stop>;
    /// Any value of a type.
    fn input(&mut self, ty: Scalar, why: Input) -> Self::Value;
    /// The handle of a thread.
    fn handle(&mut self, thread: u32) -> Self::Value;
    /// The address of a function, or null.
    fn function_address(&mut self, function: Option<FunctionId>) -> Self::Value;
    fn object_address(&mut self, object: Self::Object) -> Self::Value;
    fn assume(&mut self, condition: Self::Value) -> Result<(), Self::Stop>;

    // Locals of the running frame.

    fn set(&mut self, local: LocalId, value: Self::Value) -> Result<(), Self::Stop>;
    fn set_int(&mut self, local: LocalId, value: i64) -> Result<(), Self::Stop>;
    /// The local is not initialised any more.
    fn forget(&mut self, local: LocalId) -> Result<(), Self::Stop>;

    // Memory.

    /// Where the access leads; an access of what is not there stops.
    fn place(&mut self, access: &Access, write: bool) -> Result<Self::Place, Self::Stop>;
    fn read(&mut self, access: &Access, place: &Self::Place) -> Result<Self::Value, Self::Stop>;
    fn write(&mut self, access: &Access, place: &Self::Place, value: Self::Value) -> Result<(), Self::Stop>;
    /// Does the exchange take place? `None` if something was decided that changes values: they must be found again.
    fn exchanges(
        &mut self,
        exchange: &CompareExchange,
        old: &Self::Value,
        expected: &Self::Value,
        desired: &Self::Value,
    ) -> Result<Option<bool>, Self::Stop>;
    /// The effects of an exchange, all at once: the desired value is one of the state before.
    fn exchange(
        &mut self,
        exchange: &CompareExchange,
        old: Self::Value,
        desired: Option<Self::Value>,
    ) -> Result<(), Self::Stop> {
        let success = desired.is_some();
        if let Some(desired) = desired {
            let place = self.place(&exchange.access, true)?;
            self.write(&exchange.access, &place, desired)?;
        }
        self.set(exchange.old, old)?;
        self.set_int(exchange.success, success.into())
    }
    /// The object of the local begins, or begins anew.
    fn enter(&mut self, local: LocalId) -> Result<(), Self::Stop>;
    /// Its bytes become zero.
    fn clear(&mut self, local: LocalId) -> Result<(), Self::Stop>;
    /// It ends.
    fn leave(&mut self, local: LocalId) -> Result<(), Self::Stop>;
    /// A new object; the contents of the old one are moved there, as far as they fit, and the old one ends.
    fn allocate(
        &mut self,
        kind: Allocation,
        size: Option<u64>,
        old: Option<Self::Object>,
    ) -> Result<Self::Object, Self::Stop>;
    /// The heap block that a pointer to be freed leads to; none for null.
    fn heap_block(&mut self, pointer: ExprId) -> Result<Option<Self::Object>, Self::Stop>;
    fn free(&mut self, block: Self::Object) -> Result<(), Self::Stop>;
    /// The object ends with the running frame.
    fn bind_to_frame(&mut self, object: Self::Object);
    fn overwrite(&mut self, overwrite: &Overwrite) -> Result<(), Self::Stop>;
    fn library(&mut self, call: &LibraryCall) -> Result<(), Self::Stop>;
    fn command_line(&mut self, count: LocalId, vector: LocalId) -> Result<(), Self::Stop>;

    // Frames and threads.

    fn push_frame(&mut self, callee: FunctionId, args: Vec<Self::Value>, to: Option<LocalId>)
    -> Result<(), Self::Stop>;
    fn has_frame(&self) -> bool;
    /// Ends the running frame and its objects.
    fn pop_frame(&mut self) -> Result<(), Self::Stop>;
    /// The same; the caller's target takes the result.
    fn return_to_caller(&mut self) -> Result<(), Self::Stop>;
    /// What the running function returns is the thread's result, unless it has one.
    fn keep_result(&mut self);
    fn set_result(&mut self, value: Self::Value);
    /// Of an ended thread.
    fn take_result(&mut self, thread: u32) -> Self::Value;
    fn begin_thread(&mut self, thread: u32, entry: FunctionId, arg: Self::Value) -> Result<(), Self::Stop>;
    /// All frames have ended.
    fn end_thread(&mut self, then: Then);
    fn push_handler(&mut self, routine: ExprId, arg: Self::Value) -> Result<(), Self::Stop>;
    /// The newest handler's argument.
    fn pop_handler(&mut self) -> Self::Value;
    fn specific(&mut self, key: u32) -> Self::Value;
    fn set_specific(&mut self, key: u32, value: Option<Self::Value>);

    // What ends or violates.

    fn error(&mut self, kind: ErrorKind);
    fn end(&mut self, end: End) -> Self::Stop;
    fn undefined(&mut self, why: Undefined) -> Self::Stop;
    fn unsupported(&mut self, what: &str) -> Self::Stop;
}

type Run<S> = Result<(), <S as Store>::Stop>;

/// Executes an edge that control has decided on.
pub fn execute<S: Store>(store: &mut S, edge: &Edge, control: Control) -> Run<S> {
    match &edge.op {
        Op::Skip | Op::AtomicBegin | Op::AtomicEnd => Ok(()),
        Op::Assume(condition) => {
            let condition = store.value(*condition)?;
            store.assume(condition)
        }
        Op::Assign(local, value) => {
            let value = store.value(*value)?;
            store.set(*local, value)
        }
        Op::Havoc(local, Input::Uninitialised) => store.forget(*local),
        Op::Havoc(local, why) => {
            let value = store.input(type_of(store, *local), *why);
            store.set(*local, value)
        }
        Op::Load { to, from } => {
            let place = store.place(from, false)?;
            let value = store.read(from, &place)?;
            store.set(*to, value)
        }
        Op::Store { to, value } => {
            let value = store.value(*value)?;
            let place = store.place(to, true)?;
            store.write(to, &place, value)
        }
        Op::Modify(modify) => {
            let place = store.place(&modify.access, true)?;
            let old = store.read(&modify.access, &place)?;
            store.set(modify.old, old)?;
            let new = store.value(modify.new)?;
            store.write(&modify.access, &place, new)
        }
        Op::CompareExchange(exchange) => compare_exchange(store, exchange),
        Op::Enter(local) => store.enter(*local),
        Op::Clear(local) => store.clear(*local),
        Op::Leave(local) => store.leave(*local),
        Op::Call(call) => {
            debug_assert!(!matches!((call.callee, control), (Callee::Direct(f), Control::Call(g)) if f != g));
            let args = call.args.iter().map(|arg| store.value(*arg)).collect::<Result<Vec<_>, _>>()?;
            let to = call.to.filter(|to| !store.liveness().is_unread(edge.to, *to));
            match control {
                Control::Call(callee) => store.push_frame(callee, args, to),
                _ => Err(store.unsupported("a call that is not resolved")),
            }
        }
        Op::Return => match control {
            Control::Return => store.return_to_caller(),
            Control::Leave(then) => {
                store.keep_result();
                store.pop_frame()?;
                leave_thread(store, then)
            }
            _ => Err(store.unsupported("a return that is not resolved")),
        },
        Op::Allocate(allocation) => allocate(store, allocation),
        Op::Free(pointer) => match store.heap_block(*pointer)? {
            Some(block) => store.free(block),
            None => Ok(()),
        },
        Op::Thread(op) => thread_op(store, op, control),
        // The run goes on behind this edge.
        Op::Error(kind) => {
            store.error(*kind);
            Ok(())
        }
        Op::End(end) => Err(store.end(*end)),
        Op::CommandLine { count, vector } => store.command_line(*count, *vector),
        Op::Library(call) => store.library(call),
        Op::Overwrite(overwrite) => store.overwrite(overwrite),
        Op::Unsupported(what) => Err(store.unsupported(what)),
    }
}

fn type_of<S: Store>(store: &S, local: LocalId) -> Scalar {
    match store.function().locals[local].storage {
        Storage::Plain(scalar) => scalar,
        Storage::Memory => unreachable!("only plain locals take values"),
    }
}

fn compare_exchange<S: Store>(store: &mut S, exchange: &CompareExchange) -> Run<S> {
    loop {
        let (expected, desired) = (store.value(exchange.expected)?, store.value(exchange.desired)?);
        let place = store.place(&exchange.access, false)?;
        let old = store.read(&exchange.access, &place)?;
        if let Some(success) = store.exchanges(exchange, &old, &expected, &desired)? {
            return store.exchange(exchange, old, success.then_some(desired));
        }
    }
}

fn allocate<S: Store>(store: &mut S, allocate: &Allocate) -> Run<S> {
    let size = store.size(allocate.size)?;
    if matches!(allocate.kind, Allocation::Variable(_)) && size.is_some_and(|size| size > LONGEST_ARRAY) {
        return Err(store.undefined(Undefined::Address));
    }
    let old = match allocate.kind {
        Allocation::Realloc(old) => store.heap_block(old)?,
        _ => None,
    };
    let object = store.allocate(allocate.kind, size, old)?;
    match allocate.kind {
        Allocation::Frame => store.bind_to_frame(object),
        Allocation::Variable(local) => {
            store.leave(local)?;
            let address = store.object_address(object);
            store.set(local, address)?;
        }
        _ => {}
    }
    let address = store.object_address(object);
    store.set(allocate.to, address)
}

fn leave_thread<S: Store>(store: &mut S, then: Then) -> Run<S> {
    if let Then::Handler(function) = then {
        let arg = store.pop_handler();
        return store.push_frame(function, vec![arg], None);
    }
    while store.has_frame() {
        store.pop_frame()?;
    }
    match then {
        Then::Destructor(function, key) => {
            let value = store.specific(key);
            store.set_specific(key, None);
            store.push_frame(function, vec![value], None)
        }
        then => {
            store.end_thread(then);
            Ok(())
        }
    }
}

fn thread_op<S: Store>(store: &mut S, op: &ThreadOp, control: Control) -> Run<S> {
    match (op, control) {
        (ThreadOp::Create { handle, arg, to, .. }, Control::Create { thread, entry }) => {
            let (arg, name) = (store.value(*arg)?, store.handle(thread));
            let place = store.place(handle, true)?;
            store.write(handle, &place, name)?;
            store.begin_thread(thread, entry, arg)?;
            store.set_int(*to, 0)
        }
        (ThreadOp::Join { value, to, .. }, Control::Join { thread }) => {
            let result = store.take_result(thread);
            store.set(*value, result)?;
            store.set_int(*to, 0)
        }
        (ThreadOp::Detach { to, .. }, Control::Detach { thread }) => {
            store.take_result(thread);
            store.set_int(*to, 0)
        }
        (ThreadOp::Exit { value }, Control::Leave(then)) => {
            let value = store.value(*value)?;
            store.set_result(value);
            leave_thread(store, then)
        }
        (ThreadOp::Current { to }, _) => {
            let name = store.handle(store.thread());
            store.set(*to, name)
        }
        (ThreadOp::CleanupPush { routine, arg }, _) => {
            let arg = store.value(*arg)?;
            store.push_handler(*routine, arg)
        }
        (ThreadOp::CleanupPop { routine, arg }, Control::Pop(function)) => {
            let (value, function) = (store.pop_handler(), store.function_address(function));
            store.set(*routine, function)?;
            store.set(*arg, value)
        }
        (ThreadOp::KeyCreate { to, .. }, Control::Key(key)) => store.set_int(*to, key.into()),
        (ThreadOp::KeySet { value, .. }, Control::Key(key)) => {
            let value = store.value(*value)?;
            store.set_specific(key, Some(value));
            Ok(())
        }
        (ThreadOp::KeyGet { to, .. }, Control::Key(key)) => {
            let value = store.specific(key);
            store.set(*to, value)
        }
        (ThreadOp::Condition { to, .. }, Control::Wake { .. }) => store.set_int(*to, 0),
        (op, Control::Yield(result)) => match op.result() {
            Some(to) => store.set_int(to, result),
            None => Ok(()),
        },
        (ThreadOp::KeyDelete { .. }, _) => Ok(()),
        _ => Err(store.unsupported("a thread operation that control has not decided")),
    }
}

//! One step of one thread: where control goes.

use program::{Callee, Edge, ExprId, FunctionId, Op};
use semantics::{Base, DEEPEST, LockKey, LockKind, Pointer, Value, Violation};

use super::stack::StackId;
use super::status::Status;
use super::{ControlState, Threads};
use crate::step::{Control, Known, Post, Queries, Step, Unknown};

/// Why a step has no successor.
pub(super) enum TransferStop {
    /// The run ends.
    Ends,
    /// It ends by undefined behaviour.
    Undefined,
    /// The step is not possible here.
    Blocked,
    Unknown(Unknown),
}

pub(super) type Run<T> = Result<T, TransferStop>;

impl From<Unknown> for TransferStop {
    fn from(unknown: Unknown) -> Self {
        TransferStop::Unknown(unknown)
    }
}

/// One step while it is executed.
pub(super) struct Transfer<'a, 'p> {
    pub threads: &'a mut Threads<'p>,
    pub state: &'a mut ControlState,
    pub step: &'a Step,
    pub others: &'a mut dyn Queries,
    pub post: &'a mut Post<ControlState>,
}

pub(super) fn transfer(
    threads: &mut Threads<'_>,
    mut state: ControlState,
    step: &Step,
    others: &mut dyn Queries,
    post: &mut Post<ControlState>,
) -> Result<(), Unknown> {
    let edge = &threads.program.functions[step.function].edges[step.edge];
    debug_assert_eq!(threads.frames(&state, step.thread).next(), Some((step.function, edge.from)), "{step:?}");
    let done = Transfer { threads, state: &mut state, step, others, post }.execute(edge);
    match done {
        Ok(Some(control)) => post_successor(post, state, step, control, step.choice),
        Ok(None) | Err(TransferStop::Blocked) => {}
        Err(TransferStop::Ends) => post.ends = true,
        Err(TransferStop::Undefined) => post.end_undefined(true),
        Err(TransferStop::Unknown(unknown)) => return Err(unknown),
    }
    Ok(())
}

fn post_successor(
    post: &mut Post<ControlState>,
    state: ControlState,
    step: &Step,
    control: Control,
    choice: Option<u32>,
) {
    post.successors.push((state, Step { control, choice, ..*step }));
}

impl<'p> Transfer<'_, 'p> {
    /// What the step does; `None` if the successors are already there.
    pub fn execute(&mut self, edge: &'p Edge) -> Run<Option<Control>> {
        let me = self.step.thread;
        self.threads.resume_section(self.state, me);
        if !edge.op.is_final() {
            self.state.threads[me as usize].location = edge.to;
        }
        Ok(Some(match &edge.op {
            Op::Call(call) => self.call(call.callee)?,
            Op::Return => self.return_from()?,
            Op::Thread(op) => return self.thread_op(op),
            Op::AtomicBegin => {
                self.threads.begin_atomic(self.state, me);
                Control::Plain
            }
            Op::AtomicEnd => {
                self.threads.end_atomic(self.state, me);
                Control::Plain
            }
            Op::End(_) => return Err(TransferStop::Ends),
            Op::Unsupported(what) => return Err(Unknown::Unsupported(what.clone()).into()),
            _ => Control::Plain,
        }))
    }

    /// A successor where the interpreter would have chosen this.
    pub fn choose(&mut self, state: ControlState, control: Control, choice: usize) {
        post_successor(self.post, state, self.step, control, Some(choice as u32));
    }

    pub fn status(&self) -> &Status {
        self.threads.status(self.state, self.step.thread)
    }

    /// Of the thread that makes the step.
    pub fn change(&mut self, change: impl FnOnce(&mut Status)) {
        self.threads.change(self.state, self.step.thread, change);
    }

    pub fn value(&mut self, expr: ExprId) -> Known {
        self.others.value(self.step.thread, self.step.function, expr)
    }

    /// Something that is no memory is accessed or called.
    pub fn invalid<T>(&mut self) -> Run<T> {
        self.post.find(Violation::InvalidAccess, true);
        Err(TransferStop::Undefined)
    }

    /// The lock at an address, of so many bytes.
    pub fn key(&mut self, address: ExprId, size: u64, kind: LockKind) -> Run<LockKey> {
        let value = self.value(address);
        let is_there = match value {
            Known::Pointer(pointer @ Pointer { base: Base::Object(_), .. }) => self.others.is_alive(pointer, size),
            Known::Bits(0) | Known::Pointer(_) => false,
            Known::Bits(_) => {
                self.post.missing = Some(Unknown::Imprecise("a number is used as an address"));
                false
            }
            Known::Unknown => true,
        };
        if is_there { Ok(lock_key(value, kind)?) } else { self.invalid() }
    }

    fn call(&mut self, callee: Callee) -> Run<Control> {
        let callee = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => self.callee(pointer)?,
        };
        self.push_frame(callee)?;
        Ok(Control::Call(callee))
    }

    pub fn callee(&mut self, pointer: ExprId) -> Run<FunctionId> {
        match self.value(pointer) {
            Known::Pointer(Pointer { base: Base::Function(function), offset: 0 }) => Ok(function),
            Known::Unknown => Err(Unknown::Imprecise("which function is called is not known").into()),
            _ => self.invalid(),
        }
    }

    pub fn push_frame(&mut self, callee: FunctionId) -> Run<()> {
        let place = &mut self.state.threads[self.step.thread as usize];
        if self.threads.tables.stacks.depth(place.stack) as usize >= DEEPEST {
            return Err(Unknown::TooLarge("recursion is too deep").into());
        }
        place.stack = self.threads.tables.stacks.push(place.stack, place.location, callee);
        place.location = self.threads.program.functions[callee].entry;
        Ok(())
    }

    fn return_from(&mut self) -> Run<Control> {
        let place = &mut self.state.threads[self.step.thread as usize];
        let frame = *self.threads.tables.stacks.get(place.stack);
        place.stack = frame.caller.unwrap_or(StackId::EMPTY);
        place.location = frame.back;
        let depth = self.threads.tables.stacks.depth(place.stack);
        if depth == self.status().left { self.leave() } else { Ok(Control::Return) }
    }
}

/// The lock that a value names.
pub(super) fn lock_key(value: Known, kind: LockKind) -> Result<LockKey, Unknown> {
    let value = match value {
        Known::Bits(bits) => Value::Bits(bits),
        Known::Pointer(pointer) => Value::Pointer(pointer),
        Known::Unknown => return Err(Unknown::Imprecise("which lock is meant is not known")),
    };
    Ok(semantics::locks::lock_key(value, kind))
}

//! One edge of one thread.

use std::rc::Rc;

use base::{Idx, IndexVec};
use program::{
    Callee, Edge, EdgeId, End, ErrorKind, ExprId, Function, FunctionId, Input, LocalId, Op, Program, Scalar, Storage,
};

use crate::concrete::{Concrete, EvalStop};
use crate::eval::eval;
use crate::execute::{Control, execute};
use crate::indeterminate::Question;
use crate::live::Liveness;
use crate::memory::{Contents, Fill, Read, TooLarge};
use crate::ops::Fault;
use crate::race::Touch;
use crate::state::{Frame, Life, ObjectKind, State, ThreadLife, new_frame};
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value, mask};

/// Deeper recursion ends the run.
pub const DEEPEST: usize = 10_000;

/// The environment of a run: chooses inputs, sees what is printed.
///
/// ```
/// use program::{Input, Scalar};
/// use semantics::{Environment, Machine};
///
/// /// Every input is this number; the first of several choices is taken.
/// struct Constant(u128);
///
/// impl Environment for Constant {
///     fn input(&mut self, _: Scalar, _: Input) -> u128 {
///         self.0
///     }
///     fn choose(&mut self, _: u32) -> u32 {
///         0
///     }
///     fn print(&mut self, _: &[u8]) {}
/// }
///
/// let text = "int __VERIFIER_nondet_int(void); int x; int main(void) { x = 1 / __VERIFIER_nondet_int(); return x; }";
/// let program = testing::program(text);
/// let machine = Machine::new(&program);
/// let ending = |input| {
///     let mut environment = Constant(input);
///     let mut state = machine.initial(&mut environment);
///     loop {
///         let (thread, edge) = machine.runnable(&state)[0];
///         if let Some(ending) = machine.step(&mut state, thread, edge, &mut environment).ending {
///             return ending;
///         }
///     }
/// };
/// assert_ne!(ending(0), ending(1), "only one of them divides by zero");
/// ```
pub trait Environment {
    /// Any bits of a type.
    fn input(&mut self, ty: Scalar, why: Input) -> u128;
    /// A number below `options`.
    fn choose(&mut self, options: u32) -> u32;
    fn print(&mut self, text: &[u8]);
}

/// Why a run ends with a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    Program(End),
    /// Undefined behaviour.
    Undefined(Undefined),
    /// The program does something that is not supported.
    Unsupported(Box<str>),
    /// The interpreter cannot hold the state.
    Limit(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Undefined {
    DivisionByZero,
    ShiftAmount,
    /// An index that no array has.
    Address,
    FloatRange,
    /// Memory that is not there, or may not be written.
    Access,
    /// A freed pointer that is not the start of a live heap block.
    Free,
    /// A call through a pointer to no function.
    Call,
    /// A thread, mutex or other handle that is none.
    Handle,
    /// A conversion of a format does not fit its argument.
    Format,
}

impl Undefined {
    pub fn describe(self) -> &'static str {
        match self {
            Undefined::DivisionByZero => "division by zero",
            Undefined::ShiftAmount => "shift by a negative or too large amount",
            Undefined::Address => "an index that no array has",
            Undefined::FloatRange => "conversion of a float out of range",
            Undefined::Access => "invalid memory access",
            Undefined::Free => "invalid free",
            Undefined::Call => "call through an invalid pointer",
            Undefined::Handle => "invalid thread, key or barrier, or a lock made anew while held",
            Undefined::Format => "format that does not fit its arguments",
        }
    }
}

/// What a property may forbid, seen at the step that causes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Violation {
    Error(ErrorKind),
    Overflow,
    InvalidAccess,
    InvalidFree,
    /// The run ends by undefined behaviour.
    Undefined,
}

/// Bytes of an argument of the program, the last of them zero: the interpreter's limit.
const LONGEST_ARGUMENT: u64 = 256;

/// What a step did besides changing the state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    pub violations: Vec<Violation>,
    pub ending: Option<Ending>,
    /// What a library operation gave (see [`Op::result`]), also if it is not read and the state has forgotten it.
    pub given: Option<Value>,
}

/// The interpreter of one program.
pub struct Machine<'p> {
    pub program: &'p Program,
    /// For each function its locals in memory: their objects end with the frame.
    memory_locals: IndexVec<FunctionId, Vec<LocalId>>,
    /// Some edge begins an atomic section.
    pub(crate) has_sections: bool,
    pub(crate) liveness: IndexVec<FunctionId, Liveness>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program) -> Self {
        let in_memory = |f: &Function| {
            let locals = f.locals.iter_enumerated();
            locals.filter(|(_, l)| l.storage == Storage::Memory).map(|(id, _)| id).collect()
        };
        let mut edges = program.functions.iter().flat_map(|f| f.edges.iter());
        let has_sections = edges.any(|edge| edge.op == Op::AtomicBegin);
        let memory_locals = program.functions.iter().map(in_memory).collect();
        let liveness = program.functions.iter().map(Liveness::of).collect();
        Machine { program, memory_locals, liveness, has_sections }
    }

    /// The state before the first step. Choices that the first conditions need are made.
    pub fn initial(&self, environment: &mut dyn Environment) -> State {
        let mut state = State::initial(self.program);
        let mut step = Step::new(self, &mut state, ThreadId(0), environment);
        step.settle();
        state
    }

    pub fn function(&self, id: FunctionId) -> &'p Function {
        &self.program.functions[id]
    }

    pub fn edge(&self, state: &State, thread: ThreadId, edge: EdgeId) -> &'p Edge {
        &self.function(state.frame(thread).function).edges[edge]
    }

    /// Executes one edge that is enabled (see `Machine::next`). After an ending the state must not be used any more.
    pub fn step(
        &self,
        state: &mut State,
        thread: ThreadId,
        edge: EdgeId,
        environment: &mut dyn Environment,
    ) -> Effects {
        if state.thread(thread).atomic > 0 {
            // It may have been blocked inside its section while another had one.
            state.atomic = Some(thread);
        }
        let mut step = Step::new(self, state, thread, environment);
        let id = edge;
        let edge = step.machine.edge(step.state, thread, id);
        let (function, depth) = (step.state.frame(thread).function, step.state.thread(thread).frames.len());
        let result = step.execute(edge);
        let mut effects = std::mem::take(&mut step.effects);
        match result {
            Ok(()) => {
                if !edge.op.is_final() {
                    let frame = &step.state.thread(thread).frames[depth - 1];
                    effects.given = edge.op.result().map(|local| frame.locals[local.index()]);
                    step.forget(depth - 1, self.liveness[function].dying(id));
                }
                step.settle();
            }
            Err(ending) => {
                if matches!(ending, Ending::Undefined(_)) {
                    effects.violations.push(Violation::Undefined);
                }
                effects.ending = Some(ending);
            }
        }
        effects
    }
}

pub(crate) type Run<T> = Result<T, Ending>;

/// One step while it is executed.
pub(crate) struct Step<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub state: &'a mut State,
    pub thread: ThreadId,
    pub environment: &'a mut dyn Environment,
    pub effects: Effects,
    /// The accesses of the step, if they are recorded.
    pub touched: Option<Vec<Touch>>,
    /// The thread that is created starts detached.
    pub starts_detached: bool,
}

impl From<TooLarge> for Ending {
    fn from(_: TooLarge) -> Self {
        Ending::Limit("an object is too large to be interpreted")
    }
}

impl<'a, 'p> Step<'a, 'p> {
    pub fn new(
        machine: &'a Machine<'p>,
        state: &'a mut State,
        thread: ThreadId,
        environment: &'a mut dyn Environment,
    ) -> Self {
        Step { machine, state, thread, environment, effects: Effects::default(), touched: None, starts_detached: false }
    }

    pub fn program(&self) -> &'p Program {
        self.machine.program
    }

    pub fn function(&self) -> &'p Function {
        self.machine.function(self.state.frame(self.thread).function)
    }

    fn execute(&mut self, edge: &'p Edge) -> Run<()> {
        let control = self.control(edge)?;
        if !edge.op.is_final() {
            self.state.frame_mut(self.thread).location = edge.to;
        }
        execute(self, edge, control)
    }

    /// Where the step takes control; locks and the like change, frames stay as they are.
    fn control(&mut self, edge: &'p Edge) -> Run<Control> {
        Ok(match &edge.op {
            Op::Call(call) => Control::Call(match call.callee {
                Callee::Direct(function) => function,
                Callee::Indirect(pointer) => {
                    let pointer = self.value(pointer)?;
                    self.callee(pointer)?
                }
            }),
            Op::Return => {
                let thread = self.state.thread(self.thread);
                match thread.frames.len() - 1 == thread.left {
                    true => Control::Leave(self.then()?),
                    false => Control::Return,
                }
            }
            Op::Thread(op) => self.thread_control(op)?,
            Op::AtomicBegin => {
                self.state.thread_mut(self.thread).atomic += 1;
                self.state.atomic = Some(self.thread);
                Control::Plain
            }
            Op::AtomicEnd => {
                self.end_atomic();
                Control::Plain
            }
            _ => Control::Plain,
        })
    }

    pub fn set(&mut self, local: LocalId, value: Value) {
        self.state.frame_mut(self.thread).locals[local.index()] = value;
    }

    /// Temporaries of the frame at this depth that are dead.
    fn forget(&mut self, depth: usize, dying: &[LocalId]) {
        let is_set = |local: &LocalId, step: &Self| {
            step.state.thread(step.thread).frames[depth].locals[local.index()] != Value::Undefined
        };
        if dying.iter().any(|local| is_set(local, self)) {
            let frame = Rc::make_mut(&mut self.state.thread_mut(self.thread).frames[depth]);
            dying.iter().for_each(|local| frame.locals[local.index()] = Value::Undefined);
        }
    }

    pub fn set_int(&mut self, local: LocalId, value: i64) {
        let bits = value as u64 as u128 & mask(self.local_type(local));
        self.set(local, Value::from_bits(bits));
    }

    pub fn local_type(&self, local: LocalId) -> Scalar {
        match self.function().locals[local].storage {
            Storage::Plain(scalar) => scalar,
            Storage::Memory => unreachable!("only plain locals take values"),
        }
    }

    /// Any value of a type. A pointer leads to an object that is not decided yet.
    pub fn input(&mut self, ty: Scalar, why: Input) -> Value {
        if !matches!(ty, Scalar::Pointer(_)) {
            return Value::from_bits(self.environment.input(ty, why) & mask(ty));
        }
        if why == Input::Imprecise {
            // What depends on it is only a candidate: the environment must know.
            self.environment.input(Scalar::BOOL, why);
        }
        self.state.new_indeterminate(why)
    }

    /// The value of an expression; what is not chosen yet is chosen.
    pub fn value(&mut self, expr: ExprId) -> Run<Value> {
        let function = self.function();
        loop {
            let mut domain = Concrete::new(self.state, self.thread, self.program().machine.pointer_bits);
            let result = eval(&mut domain, function, expr);
            let (overflow, seen) = (domain.overflow, domain.address_seen);
            match result {
                Ok(value) => {
                    self.state.addresses_seen |= seen;
                    if overflow {
                        self.effects.violations.push(Violation::Overflow);
                    }
                    return Ok(value);
                }
                Err(EvalStop::Choose(local)) => {
                    let value = self.input(self.local_type(local), Input::Uninitialised);
                    self.set(local, value);
                }
                Err(EvalStop::Undecided(question)) => self.decide_for_all(question),
                Err(EvalStop::Fault(fault)) => {
                    // An overflow in an operand came first.
                    if overflow {
                        self.effects.violations.push(Violation::Overflow);
                    }
                    return Err(Ending::Undefined(match fault {
                        Fault::DivisionByZero => Undefined::DivisionByZero,
                        Fault::ShiftAmount => Undefined::ShiftAmount,
                        Fault::Address => Undefined::Address,
                        Fault::FloatRange => Undefined::FloatRange,
                    }));
                }
            }
        }
    }

    pub fn number(&mut self, expr: ExprId) -> Run<u128> {
        let value = self.value(expr)?;
        Ok(self.bits_of(value))
    }

    pub fn concrete(&self) -> Concrete<'_> {
        Concrete::new(self.state, self.thread, self.program().machine.pointer_bits)
    }

    pub fn bits_of(&mut self, value: Value) -> u128 {
        let mut domain = Concrete::new(self.state, self.thread, self.program().machine.pointer_bits);
        let bits = domain.number(value);
        self.state.addresses_seen |= domain.address_seen;
        bits
    }

    /// Chooses what the conditions at the new location need, so that one of them holds.
    fn settle(&mut self) {
        if self.state.thread(self.thread).life == ThreadLife::Finished {
            return;
        }
        let (function, location) = (self.function(), self.state.frame(self.thread).location);
        for (_, edge) in function.edges_from(location) {
            let Op::Assume(condition) = edge.op else { continue };
            loop {
                let mut domain = Concrete::new(self.state, self.thread, self.program().machine.pointer_bits);
                let local = match eval(&mut domain, function, condition) {
                    Err(EvalStop::Choose(local)) => local,
                    Err(EvalStop::Undecided(question)) => {
                        self.decide_for_all(question);
                        continue;
                    }
                    Ok(Value::Bits(0)) => break,
                    // The one that is taken: others need nothing.
                    _ => return,
                };
                let value = self.input(self.local_type(local), Input::Uninitialised);
                self.set(local, value);
            }
        }
    }

    /// Where an object is replaced, comparisons that other threads are about to make may need an answer again.
    pub(crate) fn decide_for_all(&mut self, question: Question) {
        self.decide(question);
        let me = self.thread;
        for thread in self.state.thread_ids().filter(|thread| *thread != me) {
            self.settle_thread(thread);
        }
    }

    /// The same for a thread that was just created.
    pub fn settle_thread(&mut self, thread: ThreadId) {
        let me = std::mem::replace(&mut self.thread, thread);
        self.settle();
        self.thread = me;
    }

    fn end_atomic(&mut self) {
        let thread = self.state.thread_mut(self.thread);
        thread.atomic = thread.atomic.saturating_sub(1);
        if thread.atomic == 0 && self.state.atomic == Some(self.thread) {
            self.state.atomic = None;
        }
    }

    // Calls.

    pub fn callee(&mut self, pointer: Value) -> Run<FunctionId> {
        match pointer {
            Value::Pointer(Pointer { base: Base::Function(function), offset: 0 }) => Ok(function),
            _ => {
                self.effects.violations.push(Violation::InvalidAccess);
                Err(Ending::Undefined(Undefined::Call))
            }
        }
    }

    pub fn new_frame(&mut self, callee: FunctionId, args: &[Value], to: Option<LocalId>) -> Run<()> {
        let function = self.machine.function(callee);
        let fits = |(param, value): (&LocalId, &Value)| match (function.locals[*param].storage, value) {
            (Storage::Plain(scalar), Value::Bits(_) | Value::Wide(..)) => {
                Value::from_bits(value.bits().unwrap_or(0) & mask(scalar))
            }
            (_, value) => *value,
        };
        // A call through a mistaken type may pass what does not fit.
        let args: Vec<_> = function.params.iter().zip(args).map(fits).collect();
        let frame = new_frame(self.program(), callee, &args, to);
        let frames = &mut self.state.thread_mut(self.thread).frames;
        if frames.len() >= DEEPEST {
            return Err(Ending::Limit("recursion is too deep to be interpreted"));
        }
        frames.push(Rc::new(frame));
        Ok(())
    }

    /// What the running function returns.
    pub fn result(&self) -> Option<Value> {
        let frame = self.state.frame(self.thread);
        self.function().result.map(|local| frame.locals[local.index()])
    }

    /// Ends the running frame and its objects.
    pub fn end_frame(&mut self) -> Rc<Frame> {
        let frame = self.state.thread_mut(self.thread).frames.pop().expect("a thread that runs has a frame");
        for local in &self.machine.memory_locals[frame.function] {
            if let Value::Pointer(Pointer { base: Base::Object(object), .. }) = frame.locals[local.index()] {
                self.state.end_object(object, Life::Ended);
            }
        }
        for object in &frame.allocated {
            self.state.end_object(*object, Life::Ended);
        }
        frame
    }

    /// The number of arguments and a null-terminated vector of as many strings. How many is an input, small because each is made.
    /// Any number of arguments; they are made when they are looked at.
    pub fn make_command_line(&mut self, count: LocalId, vector: LocalId) {
        let chosen = self.environment.input(Scalar::Int(32), Input::Nondet);
        let number = chosen as u32 & i32::MAX as u32;
        let bytes = self.program().machine.pointer_bytes();
        let contents = Contents::new(bytes * (u64::from(number) + 1), Fill::Undefined);
        let object = self.state.new_object(contents, ObjectKind::Arguments(number), false);
        self.set_int(count, i64::from(number));
        self.set(vector, Value::Pointer(Pointer::to(Base::Object(object))));
    }

    /// Makes the arguments that bytes of the vector lead to: strings of which only the last byte is known.
    pub(crate) fn make_arguments(&mut self, vector: ObjectId, count: u32, offset: u64, length: u64) -> Run<()> {
        let bytes = self.program().machine.pointer_bytes();
        for slot in offset / bytes..(offset + length).div_ceil(bytes) {
            if self.state.object(vector).contents.read(slot * bytes, bytes) != Read::Undefined {
                continue;
            }
            if slot >= u64::from(count) {
                self.state.object_mut(vector).contents.write_bits(slot * bytes, bytes, 0)?;
                continue;
            }
            let mut contents = Contents::new(LONGEST_ARGUMENT, Fill::Undefined);
            contents.write_bits(LONGEST_ARGUMENT - 1, 1, 0)?;
            let string = self.state.new_object(contents, ObjectKind::Argument, false);
            let pointer = Pointer::to(Base::Object(string));
            self.state.object_mut(vector).contents.write_pointer(slot * bytes, bytes, pointer)?;
        }
        Ok(())
    }
}

//! The transfer function of abstract memories.

use base::Idx;
use facts::range::Range;
use program::{Allocation, ExprId, FunctionId, Input, LocalId, Op, Scalar, Storage};
use semantics::indeterminate::Question;
use semantics::{Base, Life, ObjectId, Pointer, Violation, execute, mask};
use smallvec::SmallVec;

use super::contents::TooLarge;
use super::eval::{Eval, EvalStop, Noted};
use super::value::{Symbol, Symbols, Value, members, some_members};
use super::{Memory, MemoryState, known};
use crate::intern::Shared;
use crate::step::{Known, NoAnswers, Post, Queries, Step, Unknown};

/// Symbols with at most so many values are split where the result is known only for each value.
const MOST_SPLIT: usize = 64;
/// Symbols that are split in one step, one after the other.
const MOST_SPLITS: u32 = 12;

/// Why a step does not go on.
pub(super) enum TransferStop {
    /// The run ends here.
    End,
    /// It ends by undefined behaviour.
    Undefined,
    /// To be tried again with each answer.
    Undecided(Question),
    /// No run makes this step.
    Impossible,
    /// To be tried again with each value of the symbol.
    Split(Symbol),
    /// To be tried again with each part of the symbol's range.
    Narrow(Symbol, [Range; 2]),
    /// To be tried again with each outcome of an exchange.
    Fork(SmallVec<[Exchanged; 3]>),
    Unknown(Unknown),
}

pub(super) type Run<T> = Result<T, TransferStop>;

/// How an exchange goes, and what the environment chooses for that if it is weak.
#[derive(Clone, Copy)]
pub(super) struct Exchanged {
    pub success: bool,
    pub choice: Option<u32>,
}

impl From<TooLarge> for TransferStop {
    fn from(_: TooLarge) -> Self {
        TransferStop::Unknown(Unknown::TooLarge("an object is too large to be analysed"))
    }
}

/// One step while it is executed.
pub(super) struct Transfer<'a, 'm, 'p> {
    pub memory: &'a mut Memory<'p>,
    pub state: MemoryState,
    pub step: Step,
    pub others: &'m mut dyn Queries,
    pub post: &'m mut Post<MemoryState>,
    /// Of an exchange, if it is decided.
    pub exchanged: Option<Exchanged>,
}

/// A state at which a step is to be tried, with the symbols that were split for it so far.
struct Trial {
    state: MemoryState,
    splits: u32,
    exchanged: Option<Exchanged>,
}

impl<'p> Memory<'p> {
    pub(super) fn step(
        &mut self,
        state: MemoryState,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<MemoryState>,
    ) -> Result<(), Unknown> {
        let is_exchange = matches!(self.function(step.function).edges[step.edge].op, Op::CompareExchange(_));
        let (mut first, mut work) = (Some(Trial { state, splits: 0, exchanged: None }), Vec::new());
        while let Some(Trial { state, splits, exchanged }) = first.take().or_else(|| work.pop()) {
            let before = is_exchange.then(|| state.clone());
            let mut transfer = Transfer { memory: self, state, step: *step, others, post, exchanged };
            let trial = |state| Trial { state, splits, exchanged };
            match transfer.run() {
                Ok(()) => {
                    let Transfer { state, step, .. } = transfer;
                    post.successors.push((state, step));
                }
                Err(TransferStop::End) => post.ends = true,
                Err(TransferStop::Undefined) => post.end_undefined(true),
                Err(TransferStop::Undecided(question)) => {
                    let (state, thread) = (transfer.state, step.thread);
                    let answered = [true, false].map(|equal| self.answered(state.clone(), question, equal, thread));
                    work.extend(answered.map(trial));
                }
                Err(TransferStop::Impossible) => {}
                Err(TransferStop::Split(symbol)) => {
                    let state = transfer.state;
                    let (states, missing) = split(&state, symbol, splits)?;
                    work.extend(states.into_iter().map(|state| Trial { splits: splits + 1, ..trial(state) }));
                    post.missing = post.missing.take().or(missing);
                }
                Err(TransferStop::Narrow(symbol, parts)) => {
                    let narrowed = parts.map(|part| {
                        let mut state = transfer.state.clone();
                        state.symbols.edit().narrow(symbol, part).then_some(state)
                    });
                    work.extend(narrowed.into_iter().flatten().map(trial));
                }
                Err(TransferStop::Fork(outcomes)) => {
                    let state = before.expect("an exchange forks");
                    let trials = outcomes.into_iter().rev();
                    work.extend(trials.map(|one| Trial { exchanged: Some(one), ..trial(state.clone()) }));
                }
                Err(TransferStop::Unknown(unknown)) => return Err(unknown),
            }
        }
        Ok(())
    }

    /// Splits the state so that what a thread operation or a call through a pointer depends on is known.
    pub(super) fn split_for(&mut self, state: MemoryState, step: &Step, out: &mut Vec<MemoryState>) -> Option<Unknown> {
        if self.options.pointers_only {
            out.push(state);
            return None;
        }
        let mut missing = None;
        let edge = &self.function(step.function).edges[step.edge];
        let queried = queried(&edge.op);
        let mut work = vec![(state, 0)];
        'next: while let Some((state, splits)) = work.pop() {
            if !state.symbols.all.is_empty() {
                for expr in &queried {
                    let mut symbols = (*state.symbols).clone();
                    let (value, noted) = self.try_value(&state, &mut symbols, step.thread, step.function, *expr);
                    let symbol = match (value, noted.split) {
                        (_, Some(symbol)) => symbol,
                        (Ok(Value::Unknown(symbol)), None) => symbol,
                        _ => continue,
                    };
                    // The symbol may be a new one, defined by others.
                    let mut own = state.clone();
                    *own.symbols.edit() = symbols;
                    if let Ok((states, more)) = split(&own, symbol, splits) {
                        work.extend(states.into_iter().map(|state| (state, splits + 1)));
                        missing = missing.or(more);
                        continue 'next;
                    }
                }
            }
            out.push(state);
        }
        missing
    }

    fn try_value(
        &self,
        state: &MemoryState,
        symbols: &mut Symbols,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
    ) -> (Result<Value, EvalStop>, Noted) {
        let own = &state.threads[thread as usize];
        let frame = own.frames.last().expect("a thread that runs has a frame");
        let mut eval = Eval {
            frame,
            own,
            symbols,
            pointer_bits: self.pointer_bits(),
            deepest: self.deepest,
            noted: Noted::default(),
            undecided: &|object| self.undecided(state, object),
            is_fresh: &|object| self.is_fresh(state, object),
        };
        let value = semantics::eval(&mut eval, self.function(function), expr);
        (value, eval.noted)
    }

    pub(super) fn look(&mut self, state: &MemoryState, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        if self.options.pointers_only {
            return self.look_for_pointer(state, thread, expr, &mut NoAnswers);
        }
        if state.symbols.all.is_empty() && !self.anew && !self.has_undecided(state) {
            return self.cached_value(state, thread, function, expr);
        }
        self.find_value(state, thread, function, expr)
    }

    pub(super) fn find_value(&self, state: &MemoryState, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        let mut symbols = (*state.symbols).clone();
        match self.try_value(state, &mut symbols, thread, function, expr) {
            (Ok(value), Noted { split: None, .. }) => known(symbols.value(value)),
            _ => Known::Unknown,
        }
    }
}

/// One state for each value of a symbol, the last one first; if there are too many, for some, and what is missing. A value that is
/// made anew each time, as one that comes from an address, is never known: there is an end to it.
fn split(state: &MemoryState, symbol: Symbol, splits: u32) -> Result<(Vec<MemoryState>, Option<Unknown>), Unknown> {
    const TOO_MANY: &str = "a value with too many possibilities is used as an offset, a size or a name";
    let info = state.symbols.info(symbol);
    let range = info.range.filter(|_| !info.address && splits < MOST_SPLITS);
    let Some(range) = range else { return Err(Unknown::Imprecise(TOO_MANY)) };
    let all = members(range, MOST_SPLIT);
    let missing = all.is_none().then_some(Unknown::Imprecise(TOO_MANY));
    let narrowed = |value| {
        let mut state = state.clone();
        state.symbols.edit().narrow(symbol, Range::constant(range.bits(), value)).then_some(state)
    };
    let states = all.unwrap_or_else(|| some_members(range)).into_iter().rev().filter_map(narrowed).collect();
    Ok((states, missing))
}

/// The operands of a step that other components may query.
pub(crate) fn queried(op: &Op) -> Vec<ExprId> {
    let mut queried = Vec::new();
    op.operands(&mut |expr, kind| {
        if kind.is_control() {
            queried.push(expr);
        }
    });
    queried
}

impl Transfer<'_, '_, '_> {
    pub fn thread(&self) -> usize {
        self.step.thread as usize
    }

    /// Everything is evaluated before anything is changed for good, so that a step can be tried again.
    fn run(&mut self) -> Run<()> {
        let function = self.memory.function(self.step.function);
        let edge = &function.edges[self.step.edge];
        let depth = self.state.threads[self.thread()].frames.len();
        self.decide_operands(edge);
        execute(self, edge, self.step.control)?;
        if !edge.op.is_final() {
            self.forget(depth - 1);
        }
        Ok(())
    }

    /// Locals that are dead.
    fn forget(&mut self, depth: usize) {
        let (memory, thread) = (&*self.memory, self.step.thread as usize);
        let dying = memory.liveness[self.step.function].dying(self.step.edge);
        let frame = &mut self.state.threads[thread].frames[depth];
        if dying.iter().any(|local| frame.locals[local.index()] != Value::Undefined) {
            let frame = frame.edit();
            dying.iter().for_each(|local| frame.locals[local.index()] = Value::Undefined);
        }
        self.drop_locals(depth);
    }

    // Values.

    pub fn local_type(&self, local: LocalId) -> Scalar {
        match self.memory.function(self.step.function).locals[local].storage {
            Storage::Plain(scalar) => scalar,
            Storage::Memory => unreachable!("only plain locals take values"),
        }
    }

    fn is_in_memory(&self, local: LocalId) -> bool {
        self.memory.function(self.step.function).locals[local].storage == Storage::Memory
    }

    pub fn set(&mut self, local: LocalId, value: Value) {
        let value = match (self.memory.options.pointers_only, value) {
            (true, value) if !self.is_in_memory(local) => self.without_number(self.local_type(local), value),
            (_, value) => value,
        };
        let thread = self.thread();
        let frame = self.state.threads[thread].frames.last_mut().expect("a thread that runs has a frame");
        if frame.locals[local.index()] != value {
            frame.edit().locals[local.index()] = value;
        }
    }

    pub fn set_int(&mut self, local: LocalId, value: i64) {
        let bits = value as u64 & mask(self.local_type(local)) as u64;
        self.set(local, Value::Bits(bits));
    }

    pub(super) fn fresh(&mut self, ty: Scalar) -> Value {
        self.state.symbols.edit().fresh(ty)
    }

    /// Any value of a type, chosen by the environment.
    pub fn input(&mut self, ty: Scalar, why: Input) -> Value {
        if matches!(ty, Scalar::Pointer(_)) {
            return self.indeterminate(why);
        }
        let value = self.fresh(ty);
        if let (Value::Unknown(symbol), true) = (value, self.memory.records) {
            self.state.inputs.push((self.step.thread, symbol));
        }
        value
    }

    /// The value of an expression; what is not chosen yet becomes a symbol.
    pub fn value(&mut self, expr: ExprId) -> Run<Value> {
        if self.memory.options.pointers_only {
            return self.pointer_value(expr);
        }
        if let Some(value) = self.quick(expr) {
            return Ok(value);
        }
        loop {
            let thread = self.thread();
            // Taken out so that evaluation may define symbols while it looks at the frame.
            let mut symbols = std::mem::replace(&mut self.state.symbols, self.memory.no_symbols.clone());
            let mut none = Symbols::default();
            let own = &self.state.threads[thread];
            let frame = own.frames.last().expect("a thread that runs has a frame");
            let mut eval = Eval {
                frame,
                own,
                // Most often nothing is unknown: then the stored table stays as it is.
                symbols: if symbols.all.is_empty() { &mut none } else { symbols.edit() },
                pointer_bits: self.memory.pointer_bits(),
                deepest: self.memory.deepest,
                noted: Noted::default(),
                undecided: &|object| self.memory.undecided(&self.state, object),
                is_fresh: &|object| self.memory.is_fresh(&self.state, object),
            };
            let result = semantics::eval(&mut eval, self.memory.function(frame.function), expr);
            let noted = eval.noted;
            self.state.symbols = if none.all.is_empty() { symbols } else { Shared::new(none) };
            if let Some(symbol) = noted.split {
                return Err(TransferStop::Split(symbol));
            }
            match result {
                Ok(value) => {
                    self.note(noted);
                    return Ok(value);
                }
                Err(EvalStop::Choose(local)) => {
                    let value = self.input(self.local_type(local), Input::Uninitialised);
                    let frame = self.state.threads[thread].frames.last_mut().expect("it runs");
                    frame.edit().locals[local.index()] = value;
                }
                Err(EvalStop::Undecided(question)) => return Err(TransferStop::Undecided(question)),
                Err(EvalStop::Fault) => {
                    self.note(noted);
                    return Err(TransferStop::Undefined);
                }
            }
        }
    }

    /// A fast path for the commonest expressions.
    fn quick(&self, expr: ExprId) -> Option<Value> {
        let own = &self.state.threads[self.step.thread as usize];
        let frame = own.frames.last()?;
        let function = self.memory.function(frame.function);
        match function.exprs[expr].kind {
            program::ExprKind::Const(bits) => Some(Value::Bits(bits)),
            program::ExprKind::Local(local) => match frame.locals[local.index()] {
                Value::Undefined => None,
                Value::Unknown(_) => None,
                value => Some(value),
            },
            program::ExprKind::GlobalAddress(global) if own.extras.thread_locals.is_empty() => {
                Some(Value::Pointer(Pointer::to(Base::Object(ObjectId(global.0)))))
            }
            _ => None,
        }
    }

    fn note(&mut self, noted: Noted) {
        if noted.overflow || noted.may_overflow {
            self.post.find(Violation::Overflow, noted.overflow);
        }
        if noted.may_end {
            self.post.end_undefined(false);
        }
        self.state.addresses |= noted.addresses;
        self.not_followed(noted);
    }

    /// The order of an undecided object's address among others restricts what it may be, but that is not followed.
    pub(super) fn not_followed(&mut self, noted: Noted) {
        if noted.order && self.post.missing.is_none() {
            self.post.missing = Some(Unknown::Imprecise("the address of an indeterminate pointer is looked at"));
        }
    }

    /// Goes on only where a truth value is true.
    pub fn assume_truth(&mut self, value: Value) -> Run<()> {
        match self.state.symbols.value(value) {
            Value::Bits(1..) => Ok(()),
            Value::Unknown(symbol) => {
                let wanted = Range::constant(1, 1);
                let feasible = match self.state.symbols.info(symbol).range {
                    Some(range) if range.bits() == 1 => {
                        let symbols = self.state.symbols.edit();
                        symbols.narrow(symbol, wanted) && symbols.shave(symbol)
                    }
                    _ => true,
                };
                if feasible { Ok(()) } else { Err(TransferStop::Impossible) }
            }
            Value::Pointer(_) | Value::Part(..) => Ok(()),
            // A number that another component keeps.
            Value::Undefined if self.memory.options.pointers_only => Ok(()),
            _ => Err(TransferStop::Impossible),
        }
    }

    /// A number that must be known.
    pub fn number(&mut self, expr: ExprId) -> Run<u64> {
        if self.memory.options.pointers_only {
            return self.queried_number(expr);
        }
        match self.value(expr)? {
            Value::Bits(bits) => Ok(bits),
            Value::Unknown(symbol) => Err(TransferStop::Split(symbol)),
            _ => Err(TransferStop::Unknown(Unknown::Imprecise("an address is used as a number"))),
        }
    }

    // Calls and threads.

    pub fn new_frame(&mut self, callee: FunctionId, args: &[Value], to: Option<LocalId>) {
        let frame = self.frame_of(callee, args, to);
        let thread = self.thread();
        self.state.threads[thread].frames.push(Shared::new(frame));
    }

    /// A call through a mistaken type may pass what does not fit.
    pub fn frame_of(&mut self, callee: FunctionId, args: &[Value], to: Option<LocalId>) -> super::Frame {
        let function = self.memory.function(callee);
        let mut fitting = Vec::with_capacity(args.len());
        for (param, value) in function.params.iter().zip(args) {
            fitting.push(match (function.locals[*param].storage, *value) {
                (Storage::Plain(scalar), value) if self.memory.options.pointers_only => {
                    self.without_number(scalar, value)
                }
                (Storage::Plain(scalar), Value::Bits(bits)) => Value::Bits(bits & mask(scalar) as u64),
                (Storage::Plain(scalar), Value::Unknown(symbol)) => {
                    let range = self.state.symbols.info(symbol).range;
                    match range.map(|range| range.bits()) == super::value::range_bits(scalar) {
                        true => *value,
                        false => self.fresh(scalar),
                    }
                }
                (_, value) => value,
            });
        }
        for (param, value) in function.params.iter().zip(&mut fitting) {
            *value = self.kept_by(callee, *param, *value);
            if callee == self.memory.program.main && self.memory.unread_by_main.contains(param) {
                *value = Value::Undefined;
            }
        }
        self.memory.new_frame(callee, &fitting, to)
    }

    /// Ends the running frame and its objects; what it returns.
    pub fn end_frame(&mut self) -> (Option<Value>, Option<LocalId>) {
        let thread = self.thread();
        let frame = self.state.threads[thread].frames.pop().expect("a thread that runs has a frame");
        let memory_locals = &self.memory.memory_locals[frame.function];
        let objects = memory_locals.iter().filter_map(|local| super::contents::object_of(frame.locals[local.index()]));
        let objects: Vec<ObjectId> = objects.chain(frame.allocated.iter().copied()).collect();
        for object in objects {
            self.end_object(object, Life::Ended);
        }
        let result = self.memory.function(frame.function).result.map(|local| frame.locals[local.index()]);
        (result, frame.to)
    }

    /// Of an ended thread: it can be had once.
    pub fn result_of(&mut self, thread: u32) -> Option<Value> {
        let extras = &mut self.state.threads[thread as usize].extras;
        if extras.result.is_some() { extras.edit().result.take() } else { None }
    }
}

/// Is it from the heap, and what does it hold?
pub(super) fn kind_of(allocation: Allocation) -> (bool, super::contents::Fill) {
    use super::contents::Fill;
    match allocation {
        Allocation::Heap | Allocation::Realloc(_) => (true, Fill::Undefined),
        Allocation::HeapZeroed => (true, Fill::Zero),
        Allocation::Frame | Allocation::Variable(_) => (false, Fill::Undefined),
    }
}

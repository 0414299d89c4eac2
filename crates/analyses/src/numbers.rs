//! Numbers apart from pointers: a state has a set of valuations of integer variables, an element of a numerical domain
//! ([`NumericalDomain`]: Cousot and Cousot, POPL 1977; Miné, 2017), and is in a product behind a [`crate::memory::Memory`] that
//! keeps pointers, with or without values of its own. A step is an assignment, a test or a projection; where an address leads is a
//! query to the memory. This is how Miné ("Field-Sensitive Value Analysis of Embedded C Programs with Union Types and Pointer Arithmetics",
//! LCTES 2006) has a numerical domain over cells of memory.
//!
//! Kept are integer locals, and integers in globals and in stack slots; what is on the heap is not. What is not kept may be anything.

mod access;
mod calls;
mod cells;
mod domain;
mod eval;
mod slots;
mod split;
mod step;
mod store;
mod variables;

use base::{Alarm, IndexVec};
use program::{ExprId, FunctionId, GlobalId, LocalId, Program, Scalar, UnaryOp};
use rustc_hash::FxHashMap;
use semantics::live::Liveness;

use crate::analysis::{Analysis, Answers, InPlace, Names, Naming, States};
use crate::intern::{Lists, Shared, Store};
use crate::step::{Known, Post, Queries, Step, Unknown};
use cells::Cell;
pub use domain::{Full, Made, Number, NumericalDomain, Outcome};
use eval::Evaluation;
use slots::StackSlots;
use variables::Variables;
pub use variables::{VarId, Variable};

/// The numbers of a program, in a numerical domain.
pub struct Numbers<'p, D: NumericalDomain> {
    program: &'p Program,
    liveness: IndexVec<FunctionId, Liveness>,
    domain: D,
    variables: Variables,
    cells: IndexVec<GlobalId, Vec<Cell>>,
    sets: Vec<D::Set>,
    numbers: FxHashMap<D::Set, u32>,
    frames: Store<Frames>,
    slots: Store<StackSlots>,
    lists: Lists,
}

/// See [`Numbers::into_tables`].
pub struct Tables<D: NumericalDomain> {
    domain: D,
    variables: Variables,
    cells: IndexVec<GlobalId, Vec<Cell>>,
    sets: Vec<D::Set>,
    numbers: FxHashMap<D::Set, u32>,
    frames: Store<Frames>,
    slots: Store<StackSlots>,
    lists: Lists,
}

#[derive(Clone)]
pub struct NumbersState<S> {
    /// The valuations. Variables of frames that do not exist are free.
    set: S,
    frames: Shared<Frames>,
    slots: Shared<StackSlots>,
}

impl<S> std::fmt::Debug for NumbersState<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NumbersState").field("frames", &self.frames).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Frame {
    function: FunctionId,
    /// Where the caller wants the result.
    to: Option<LocalId>,
}

/// The stacks of all threads, the running function last.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Frames(Vec<Vec<Frame>>);

impl Frames {
    fn count(&self, thread: u32) -> usize {
        self.0[thread as usize].len()
    }

    /// How many frames are below the running one.
    fn depth(&self, thread: u32) -> u32 {
        self.count(thread) as u32 - 1
    }

    fn top(&self, thread: u32) -> Frame {
        self.0[thread as usize][self.count(thread) - 1]
    }

    fn caller(&self, thread: u32) -> Option<Frame> {
        self.0[thread as usize].iter().rev().nth(1).copied()
    }

    fn push(&mut self, thread: u32, frame: Frame) {
        self.0[thread as usize].push(frame);
    }

    fn pop(&mut self, thread: u32) {
        self.0[thread as usize].pop();
    }

    /// A thread of this number has no frame yet.
    fn begin(&mut self, thread: u32) {
        self.0.resize(self.0.len().max(thread as usize + 1), Vec::new());
    }
}

impl<'p, D: NumericalDomain> Numbers<'p, D> {
    pub fn over(program: &'p Program, domain: D) -> Self {
        Numbers {
            program,
            liveness: program.functions.iter().map(Liveness::of_plain).collect(),
            domain,
            variables: Variables::default(),
            cells: program.globals.iter().map(|_| Vec::new()).collect(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            frames: Store::default(),
            slots: Store::default(),
            lists: Lists::default(),
        }
    }

    /// What states are made of, without the program, so that it can be kept as evidence.
    pub fn into_tables(self) -> Tables<D> {
        let Numbers { domain, variables, cells, sets, numbers, frames, slots, lists, .. } = self;
        Tables { domain, variables, cells, sets, numbers, frames, slots, lists }
    }

    /// Goes on with the states of another one, of the same program.
    pub fn with(program: &'p Program, tables: Tables<D>) -> Self {
        let Tables { domain, variables, cells, sets, numbers, frames, slots, lists } = tables;
        let liveness = program.functions.iter().map(Liveness::of_plain).collect();
        Numbers { program, liveness, domain, variables, cells, sets, numbers, frames, slots, lists }
    }

    /// The variables that there are so far.
    pub fn variables(&self) -> impl Iterator<Item = Variable> {
        self.variables.all()
    }

    /// Is there a valuation in which these variables have these values?
    pub fn admits(&mut self, state: &NumbersState<D::Set>, values: &[(Variable, u64)]) -> bool {
        let known = values.iter().filter_map(|(variable, value)| Some((self.variables.find(*variable)?, *value)));
        let known: Vec<(VarId, u64)> = known.collect();
        let those = self.domain.valuations(&known);
        those.and_then(|those| self.domain.meets(&state.set, &those)) != Ok(false)
    }

    fn variable(&mut self, variable: Variable, width: u32) -> Made<VarId> {
        self.variables.variable(&mut self.domain, variable, width)
    }

    fn initial_set(&mut self) -> Made<D::Set> {
        self.cells = self.program.globals.iter().map(|_| Vec::new()).collect();
        let mut known = Vec::new();
        for (global, offset, length) in cells::kept(self.program) {
            let var = self.variable(Variable::Cell { global, offset, length }, u32::from(length) * 8)?;
            self.cells[global].push(Cell { offset, length, var });
            known.extend(cells::initial(self.program, global, offset, length.into()).map(|value| (var, value)));
        }
        self.domain.valuations(&known)
    }

    fn number(&mut self, set: &D::Set) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    /// The numbers of the set, the frames and the stack slots.
    fn parts(&self, key: u32) -> (u32, u32, u32) {
        let list = self.lists.get(key);
        (list[0], list[1], list[2])
    }

    fn not(&mut self, set: &D::Set, condition: &D::Expr) -> Made<D::Expr> {
        Ok(self.domain.unary(set, UnaryOp::Not, Scalar::BOOL, condition)?.value)
    }

    fn full() -> Unknown {
        Unknown::TooLarge(D::FULL)
    }
}

impl<D: NumericalDomain> States for Numbers<'_, D> {
    type State = NumbersState<D::Set>;
    type Key = u32;

    fn store(&mut self, state: &mut Self::State) -> u32 {
        let set = self.number(&state.set);
        let list = [set, self.frames.number(&mut state.frames), self.slots.number(&mut state.slots)];
        self.lists.number(&list)
    }

    fn load(&self, key: u32) -> Self::State {
        let (set, frames, slots) = self.parts(key);
        NumbersState {
            set: self.sets[set as usize].clone(),
            frames: self.frames.get(frames).clone(),
            slots: self.slots.get(slots).clone(),
        }
    }
}

impl<D: NumericalDomain> Analysis for Numbers<'_, D> {
    const QUERIES_OTHERS: bool = true;

    fn initial(&mut self) -> Result<Self::State, Unknown> {
        let set = self.initial_set().map_err(|Full| Self::full())?;
        let first = Frame { function: self.program.entry, to: None };
        Ok(NumbersState {
            set,
            frames: Shared::new(Frames(vec![vec![first]])),
            slots: Shared::new(StackSlots::default()),
        })
    }

    fn prepare(&mut self, state: Self::State, step: &Step, out: &mut Vec<Self::State>) -> Option<Unknown> {
        self.split(state, step, out);
        None
    }

    fn transfer(
        &mut self,
        state: Self::State,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<Self::State>,
    ) -> Result<(), Unknown> {
        step::transfer(self, state, step, others, post)
    }

    /// Stack slots are known for the objects that the sets are about; pointers lead to the same ones, or else other components differ.
    fn leq(&mut self, a: u32, b: u32) -> bool {
        let ((x, frames, _), (y, others, _)) = (self.parts(a), self.parts(b));
        let (x_set, y_set) = (&self.sets[x as usize], &self.sets[y as usize]);
        frames == others && (x == y || self.domain.leq(x_set, y_set) == Ok(true))
    }

    fn merge(&mut self, new: u32, old: u32, _: u32) -> Option<u32> {
        let ((x, frames, slots), (y, others, old_slots)) = (self.parts(new), self.parts(old));
        if frames != others {
            return None;
        }
        let joined = self.domain.join(&self.sets[x as usize], &self.sets[y as usize]).ok()?;
        let number = self.number(&joined);
        let mut slots = Shared::new(self.slots.get(slots).joined(self.slots.get(old_slots))?);
        let slots = self.slots.number(&mut slots);
        Some(self.lists.number(&[number, frames, slots]))
    }

    fn limit(&mut self, alarm: &Alarm) {
        self.domain.limit(alarm);
    }

    fn is_exact(&self, _: &Self::State) -> bool {
        false
    }
}

impl<D: NumericalDomain> InPlace for Numbers<'_, D> {
    type Before = ();
}

impl<D: NumericalDomain> Answers for Numbers<'_, D> {
    fn value(&mut self, state: &Self::State, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        let at = (thread, state.frames.depth(thread), function);
        let value = Evaluation::new(self, state.set.clone(), at, None).expr(expr);
        match value.and_then(|value| self.domain.only_value(&state.set, &value)) {
            Ok(Some(bits)) => Known::Bits(bits),
            Ok(None) | Err(Full) => Known::Unknown,
        }
    }

    fn at(&mut self, state: &Self::State, thread: u32, function: FunctionId, place: spec::Place) -> Known {
        let variable = match place {
            spec::Place::Expr(expr) => return self.value(state, thread, function, expr),
            spec::Place::Local(local) => Variable::Local { thread, depth: state.frames.depth(thread), function, local },
            spec::Place::Global { global, offset, ty, bits: None } => {
                Variable::Cell { global, offset, length: ty.bytes() as u8 }
            }
            spec::Place::Global { .. } => return Known::Unknown,
        };
        let Some(id) = self.variables.find(variable) else { return Known::Unknown };
        let value = self.domain.variable(&state.set, id);
        match self.domain.only_value(&state.set, &value) {
            Ok(Some(bits)) => Known::Bits(bits),
            Ok(None) | Err(Full) => Known::Unknown,
        }
    }
}

impl<D: NumericalDomain> Naming for Numbers<'_, D> {
    fn rename(&mut self, state: &mut Self::State, names: &Names) {
        if !names.objects.is_empty() && !state.slots.is_empty() {
            state.slots.edit().rename(names);
        }
    }
}

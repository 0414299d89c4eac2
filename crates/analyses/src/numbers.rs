//! Numbers as binary decision diagrams: a state is the set of all valuations of the integer variables, one diagram over their bits.
//! A step is the image under a relation between bits now and next, joining is disjunction, covering is implication. This is the
//! analysis that Beyer and Friedberger ("A Light-Weight Approach for Verifying Multi-Threaded Programs with CPAchecker", 2016)
//! run beside one of threads.
//!
//! Kept are integer locals, and integers in globals and in locals that are objects; what is on the heap is not. Where an address leads is asked: the analysis stands in a
//! product behind [`crate::memory::Memory`] that keeps pointers only. What is not kept may be anything.

mod access;
mod bits;
mod calls;
mod cells;
mod diagram;
mod eval;
mod groups;
mod homes;
mod split;
mod step;
#[cfg(test)]
mod tests;
mod vars;

use base::{Alarm, IndexVec};
use program::{ExprId, FunctionId, GlobalId, LocalId, Program};
use rustc_hash::FxHashMap;
use semantics::live::Liveness;

use crate::analysis::{Analysis, Names};
use crate::intern::{Lists, Shared, Store};
use crate::step::{Ask, Known, Post, Step, Trouble};
use cells::Cell;
use diagram::{Diagrams, Full, Function};
use eval::Evaluation;
use homes::Homes;
use vars::Vars;
pub use vars::{Place, VarId};

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most nodes of all diagrams together; one takes 16 bytes.
    pub nodes: usize,
    /// How many results of operations are remembered; one takes about 24 bytes.
    pub cache: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { nodes: 1 << 22, cache: 1 << 20 }
    }
}

pub struct Bdd<'p> {
    program: &'p Program,
    liveness: IndexVec<FunctionId, Liveness>,
    diagrams: Diagrams,
    vars: Vars,
    cells: IndexVec<GlobalId, Vec<Cell>>,
    sets: Vec<Function>,
    numbers: FxHashMap<Function, u32>,
    frames: Store<Frames>,
    homes: Store<Homes>,
    lists: Lists,
}

/// See [`Bdd::into_tables`].
pub struct Tables {
    diagrams: Diagrams,
    vars: Vars,
    cells: IndexVec<GlobalId, Vec<Cell>>,
    sets: Vec<Function>,
    numbers: FxHashMap<Function, u32>,
    frames: Store<Frames>,
    homes: Store<Homes>,
    lists: Lists,
}

#[derive(Clone)]
pub struct State {
    /// The valuations. Variables of frames that do not exist are free.
    set: Function,
    frames: Shared<Frames>,
    homes: Shared<Homes>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("frames", &self.frames).finish_non_exhaustive()
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

impl<'p> Bdd<'p> {
    pub fn new(program: &'p Program, options: Options) -> Self {
        Bdd {
            program,
            liveness: program.functions.iter().map(Liveness::of_plain).collect(),
            diagrams: Diagrams::new(options.nodes, options.cache),
            vars: Vars::new(program),
            cells: program.globals.iter().map(|_| Vec::new()).collect(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            frames: Store::default(),
            homes: Store::default(),
            lists: Lists::default(),
        }
    }

    /// What states are made of, without the program, so that it can be kept as evidence.
    pub fn into_tables(self) -> Tables {
        let Bdd { diagrams, vars, cells, sets, numbers, frames, homes, lists, .. } = self;
        Tables { diagrams, vars, cells, sets, numbers, frames, homes, lists }
    }

    /// Goes on with the states of another one, of the same program.
    pub fn with(program: &'p Program, tables: Tables) -> Self {
        let Tables { diagrams, vars, cells, sets, numbers, frames, homes, lists } = tables;
        let liveness = program.functions.iter().map(Liveness::of_plain).collect();
        Bdd { program, liveness, diagrams, vars, cells, sets, numbers, frames, homes, lists }
    }

    /// Nodes of all diagrams, those included that are not needed any more.
    pub fn nodes(&self) -> usize {
        self.diagrams.nodes()
    }

    /// How many different states were stored.
    pub fn stored(&self) -> usize {
        self.lists.len()
    }

    /// The variables that there are so far.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.vars.all().iter().map(|var| var.place)
    }

    /// Is there a valuation in which these variables have these values?
    pub fn admits(&self, state: &State, values: &[(Place, u64)]) -> bool {
        let mut literals = Vec::new();
        for (place, value) in values {
            let Some(id) = self.vars.find(*place) else { continue };
            let bits = self.vars.get(id).now.iter().enumerate();
            literals.extend(bits.map(|(i, bit)| (bit, value >> i & 1 != 0)));
        }
        match self.diagrams.valuations(literals) {
            Ok(those) => self.diagrams.is_disjoint(&state.set, &those) != Ok(true),
            Err(Full) => true,
        }
    }

    fn initial_set(&mut self) -> Result<Function, Full> {
        self.cells = self.program.globals.iter().map(|_| Vec::new()).collect();
        let mut known = Vec::new();
        for (global, offset, length) in cells::kept(self.program) {
            let place = Place::Cell { global, offset, length };
            let var = self.vars.variable(&self.diagrams, place, u32::from(length) * 8)?;
            self.cells[global].push(Cell { offset, length, var });
            known.extend(cells::initial(self.program, global, offset, length.into()).map(|value| (var, value)));
        }
        let literals = known.into_iter().flat_map(|(id, value)| {
            let bits = self.vars.get(id).now.iter().enumerate();
            bits.map(move |(i, bit)| (bit, value >> i & 1 != 0))
        });
        self.diagrams.valuations(literals.collect())
    }

    fn number(&mut self, set: &Function) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    /// The numbers of the set, the frames and the homes.
    fn parts(&self, key: u32) -> (u32, u32, u32) {
        let list = self.lists.get(key);
        (list[0], list[1], list[2])
    }
}

impl Analysis for Bdd<'_> {
    type State = State;
    type Key = u32;
    type Before = ();
    const ASKS: bool = true;

    fn initial(&mut self) -> Result<State, Trouble> {
        let set = self.initial_set().map_err(|Full| Trouble("the decision diagrams grow too large".into()))?;
        let first = Frame { function: self.program.entry, to: None };
        Ok(State { set, frames: Shared::new(Frames(vec![vec![first]])), homes: Shared::new(Homes::default()) })
    }

    fn store(&mut self, state: &mut State) -> u32 {
        let set = self.number(&state.set);
        let list = [set, self.frames.number(&mut state.frames), self.homes.number(&mut state.homes)];
        self.lists.number(&list)
    }

    fn load(&self, key: u32) -> State {
        let (set, frames, homes) = self.parts(key);
        State {
            set: self.sets[set as usize].clone(),
            frames: self.frames.get(frames).clone(),
            homes: self.homes.get(homes).clone(),
        }
    }

    fn prepare(&mut self, state: State, step: &Step, out: &mut Vec<State>) -> Option<Trouble> {
        self.cut(state, step, out);
        None
    }

    fn transfer(
        &mut self,
        state: State,
        step: &Step,
        ask: &mut dyn Ask,
        post: &mut Post<State>,
    ) -> Result<(), Trouble> {
        step::transfer(self, state, step, ask, post)
    }

    /// Homes are known for the objects that the sets are about; pointers lead to the same ones, or else other components differ.
    fn leq(&mut self, a: u32, b: u32) -> bool {
        let ((x, frames, _), (y, others, _)) = (self.parts(a), self.parts(b));
        let is_subset = || self.diagrams.is_subset(&self.sets[x as usize], &self.sets[y as usize]);
        frames == others && (x == y || is_subset() == Ok(true))
    }

    fn merge(&mut self, new: u32, old: u32, _: u32) -> Option<u32> {
        let ((x, frames, homes), (y, others, old_homes)) = (self.parts(new), self.parts(old));
        if frames != others {
            return None;
        }
        let joined = self.diagrams.or(&self.sets[x as usize], &self.sets[y as usize]).ok()?;
        let number = self.number(&joined);
        let mut homes = Shared::new(self.homes.get(homes).joined(self.homes.get(old_homes))?);
        let homes = self.homes.number(&mut homes);
        Some(self.lists.number(&[number, frames, homes]))
    }

    fn limit(&mut self, alarm: &Alarm) {
        self.diagrams.alarm = alarm.clone();
    }

    fn is_exact(&self, _: &State) -> bool {
        false
    }

    fn rename(&mut self, state: &mut State, names: &Names) {
        if !names.objects.is_empty() && !state.homes.is_empty() {
            state.homes.edit().rename(names);
        }
    }

    fn value(&mut self, state: &State, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        let at = (thread, state.frames.depth(thread), function);
        let value = Evaluation::new(self, state.set.clone(), at, None).expr(expr);
        match value.and_then(|bits| self.only_value(&state.set, &bits)) {
            Ok(Some(bits)) => Known::Bits(bits),
            Ok(None) | Err(Full) => Known::Unknown,
        }
    }

    fn at(&mut self, state: &State, thread: u32, function: FunctionId, place: spec::Place) -> Known {
        let place = match place {
            spec::Place::Expr(expr) => return self.value(state, thread, function, expr),
            spec::Place::Local(local) => Place::Local { thread, depth: state.frames.depth(thread), function, local },
            spec::Place::Global { global, offset, ty, bits: None } => {
                Place::Cell { global, offset, length: ty.bytes() as u8 }
            }
            spec::Place::Global { .. } => return Known::Unknown,
        };
        let bits = self.vars.find(place).map(|id| self.vars.get(id).bits());
        match bits.map(|bits| self.only_value(&state.set, &bits)) {
            Some(Ok(Some(bits))) => Known::Bits(bits),
            _ => Known::Unknown,
        }
    }
}

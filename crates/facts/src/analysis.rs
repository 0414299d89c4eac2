//! The fixpoint: states at nodes, what is shared, what abstract threads do. Every transfer only adds; whoever depends on what grew
//! is looked at again.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::{Alarm, Budget, Idx, Limit};
use program::{ExprKind, MutexOp, Op, Program, ThreadOp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::contents::{Contents, Fill};
use crate::exposure::Exposure;
use crate::guard::Guard;
use crate::locks::{Condition, Kind, LockName, Mode};
use crate::map::Map;
use crate::offsets::Offsets;
use crate::state::State;
use crate::tables::{AbstractThread, Base, CallString, MOST_GUARDED, Marks, Node, PHASES, Phase, Tables};
use crate::transfer;
use crate::value::{Term, Value};

/// What holds in every run of a program. The facts about nodes hold there, the others always.
pub struct Facts {
    pub tables: Tables,
    pub solution: Solution,
    pub(crate) marks: Marks,
}

impl Facts {
    /// Every node that can be reached, with each of its states.
    pub fn reached(&self) -> impl Iterator<Item = (&Node, &Rc<State>)> {
        let nodes = self.tables.nodes.iter().zip(&self.solution.states);
        nodes.flat_map(|(node, states)| states.iter().map(move |state| (node, state)))
    }

    /// Where threads are created.
    pub fn creations(&self) -> impl Iterator<Item = (CallString, program::EdgeId)> {
        let abstract_threads = self.tables.abstract_threads.iter().zip(&self.solution.abstract_threads);
        abstract_threads
            .filter(|(_, facts)| facts.ended.is_some())
            .filter_map(|(abstract_thread, _)| abstract_thread.created)
    }

    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        let states = self.reached().count();
        vec![
            ("states", states as u64),
            ("call strings", self.tables.call_strings.len() as u64),
            ("abstract threads", self.tables.abstract_threads.len() as u64),
            ("shared objects", self.solution.shared.len() as u64),
        ]
    }
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "facts about {} nodes", self.solution.states.len())
    }
}

#[derive(Clone)]
pub struct Solution {
    /// For each node the states it can be reached in; those that hold different locks are kept apart.
    pub states: Vec<SmallVec<[Rc<State>; 1]>>,
    /// What call strings end with, by phase; the result is still a variable.
    pub exits: Vec<[Option<Rc<State>>; PHASES.len()]>,
    /// Where call strings are called from.
    pub callers: Vec<BTreeSet<(CallString, program::EdgeId)>>,
    /// What is in objects that several threads may reach.
    pub shared: BTreeMap<Base, Shared>,
    /// What numbers and indeterminate pointers may lead to.
    pub exposed: Exposure,
    pub abstract_threads: Vec<AbstractThreadFacts>,
    /// What keeps others from globals.
    pub guards: BTreeMap<Base, Guard>,
    /// Globals that may fall, or are written without a guard.
    pub falling: BTreeSet<Base>,
    /// Locks that may be opened by others than who holds them.
    pub broken: BTreeMap<(Kind, Base), Offsets>,
    /// Functions that run with the values of thread-specific keys when a thread ends.
    pub destructors: Value,
    /// Blocks, by their own name, that may be given back.
    pub freed: BTreeSet<Base>,
    /// The least size of blocks, by their own name, in bytes.
    pub sizes: BTreeMap<Base, i64>,
    /// Reached, but not understood.
    pub unsupported: BTreeSet<Box<str>>,
}

impl Solution {
    fn new() -> Solution {
        Solution {
            states: Vec::new(),
            exits: Vec::new(),
            callers: Vec::new(),
            shared: BTreeMap::new(),
            exposed: Exposure::default(),
            abstract_threads: Vec::new(),
            guards: BTreeMap::new(),
            falling: BTreeSet::new(),
            broken: BTreeMap::new(),
            destructors: Value::nothing(),
            freed: BTreeSet::new(),
            sizes: BTreeMap::new(),
            unsupported: BTreeSet::new(),
        }
    }
}

#[derive(Clone)]
pub struct Shared {
    pub contents: Rc<Contents>,
    /// The edges that wrote to it since others can reach it.
    pub writers: BTreeSet<(CallString, program::EdgeId)>,
    updates: u32,
}

/// What is known of the threads of an abstract thread.
#[derive(Clone, PartialEq, Debug)]
pub struct AbstractThreadFacts {
    pub argument: Value,
    pub shape: Shape,
    /// Abstract threads that have ended when it begins.
    pub ended: Option<Map<()>>,
    /// Abstract threads that may be alive when one of its threads is created, for all that the creator created.
    pub alive_before: Map<()>,
    /// Several of its threads may run at once.
    pub many: bool,
    /// Its threads can end; then these abstract threads, created by them, may still run.
    pub end: Option<Rc<State>>,
    pub result: Value,
    updates: u32,
}

/// How the arguments of the threads of an abstract thread differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// There is no such thread yet.
    None,
    /// `base + coefficient * n + offset`, with another number `n` for each.
    Numbers {
        base: Option<Base>,
        coefficient: i64,
        offset: i64,
    },
    /// Each points to an object that no other has got.
    Objects,
    Unknown,
}

impl Shape {
    pub fn join(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::None, shape) | (shape, Shape::None) => shape,
            (a, b) if a == b => a,
            _ => Shape::Unknown,
        }
    }

    pub fn renamed(self, names: &BTreeMap<Base, Base>) -> Shape {
        match self {
            Shape::Numbers { base: Some(base), coefficient, offset } => {
                Shape::Numbers { base: Some(names.get(&base).copied().unwrap_or(base)), coefficient, offset }
            }
            shape => shape,
        }
    }

    /// An argument of this shape.
    pub fn term(self, abstract_thread: AbstractThread) -> Option<Term> {
        let symbol = crate::value::Symbol::Argument(abstract_thread);
        match self {
            Shape::Numbers { base, coefficient, offset } => {
                Some(Term { base, coefficient, symbol, offset: Some(offset) })
            }
            Shape::Objects => Some(Term::of(symbol)),
            Shape::None | Shape::Unknown => None,
        }
    }
}

impl AbstractThreadFacts {
    fn new() -> AbstractThreadFacts {
        AbstractThreadFacts {
            argument: Value::nothing(),
            shape: Shape::None,
            ended: None,
            alive_before: Map::new(),
            many: false,
            end: None,
            result: Value::nothing(),
            updates: 0,
        }
    }
}

/// Why there are no facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Limit(Limit),
    /// Runs reach something that is not understood.
    Unsupported(Box<str>),
}

/// Finds the facts.
pub fn analyze(program: &Program, budget: &Budget) -> Result<Facts, Stop> {
    if let Some(limit) = budget.exhausted() {
        return Err(Stop::Limit(limit));
    }
    analyze_with(program, budget, Marks::of(program))
}

/// The same, with more known, or given up, from the beginning.
pub fn analyze_with(program: &Program, budget: &Budget, mut marks: Marks) -> Result<Facts, Stop> {
    loop {
        let mut analysis = Analysis::new(program, &marks);
        analysis.begin();
        analysis.solve(budget)?;
        match analysis.again {
            None => return analysis.facts(),
            Some(Again::Recursive(function)) => marks.recursive[function.index()] = true,
            Some(Again::Repeated(function, edge)) => {
                marks.repeated.insert((function, edge));
            }
            Some(Again::Merge) => marks.merged = true,
            Some(Again::Guards) => marks.guards = analysis.marks.guards,
            Some(Again::Unguarded) => marks.unguarded = true,
        }
    }
}

/// Are these facts right? Looks at every node once: what its edges make of it must be contained in the facts already. How the facts were
/// found does not matter.
pub fn recheck(program: &Program, facts: &Facts) -> Result<(), String> {
    recheck_within(program, facts, &Alarm::default())
}

/// The same; if the alarm strikes, they are not confirmed.
pub fn recheck_within(program: &Program, facts: &Facts, alarm: &Alarm) -> Result<(), String> {
    let mut analysis = Analysis::new(program, &facts.marks);
    analysis.tables = facts.tables.clone();
    analysis.solution = facts.solution.clone();
    analysis.frozen = true;
    analysis.begin();
    for node in 0..analysis.solution.states.len() as u32 {
        if alarm.struck().is_some() {
            return Err("the facts are not looked at to the end".to_owned());
        }
        analysis.look_at(node);
    }
    for abstract_thread in 0..analysis.solution.abstract_threads.len() {
        analysis.finish(AbstractThread::from_usize(abstract_thread));
    }
    analysis.check_guards();
    match analysis.violated.or(analysis.again.map(|_| "the facts are not complete".to_owned())) {
        Some(what) => Err(what),
        None => Ok(()),
    }
}

pub(crate) enum Again {
    Recursive(program::FunctionId),
    Repeated(program::FunctionId, program::EdgeId),
    Merge,
    /// Weaker guards.
    Guards,
    /// No guards.
    Unguarded,
}

/// Who must be looked at again when something grows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Shared(Base),
    Writers(Base),
    AbstractThread(AbstractThread),
    Destructors,
    Exposed,
}

pub(crate) struct Analysis<'p> {
    pub program: &'p Program,
    pub tables: Tables,
    pub solution: Solution,
    pub again: Option<Again>,
    pub marks: Marks,
    /// A mutex may be of the kind that reports errors.
    pub error_checking: bool,
    readers: FxHashMap<Source, BTreeSet<u32>>,
    /// Deep call strings first, within them the order of the text.
    work: BTreeSet<(std::cmp::Reverse<CallString>, u32)>,
    visits: Vec<u32>,
    /// Of call strings that may call themselves.
    returns: Vec<u32>,
    thresholds: Vec<i64>,
    /// The node that is looked at.
    at: u32,
    frozen: bool,
    violated: Option<String>,
}

/// What tells states at one node apart.
#[derive(PartialEq)]
struct Key {
    locks: SmallVec<[(LockName, Mode, Option<Condition>); 2]>,
    truths: SmallVec<[(u32, bool); 4]>,
}

/// More states at one node are put together.
const MOST_STATES: usize = 6;
/// Joins before bounds are widened.
const PATIENCE: u32 = 3;
/// Visits after which bounds that still move go as far as there is.
const ENOUGH: u32 = 40;
const SHARED_PATIENCE: u32 = 8;

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, marks: &Marks) -> Analysis<'p> {
        Analysis {
            program,
            tables: Tables::new(program, marks),
            solution: Solution::new(),
            again: None,
            marks: marks.clone(),
            error_checking: may_check_errors(program),
            readers: FxHashMap::default(),
            work: BTreeSet::new(),
            visits: Vec::new(),
            returns: Vec::new(),
            thresholds: thresholds(program),
            at: 0,
            frozen: false,
            violated: None,
        }
    }

    fn facts(mut self) -> Result<Facts, Stop> {
        self.grow();
        match self.solution.unsupported.first() {
            Some(what) => Err(Stop::Unsupported(what.clone())),
            None => Ok(Facts { tables: self.tables, solution: self.solution, marks: self.marks }),
        }
    }

    fn begin(&mut self) {
        let mut state = State::new(Phase::Before);
        for (id, global) in self.program.globals.iter_enumerated() {
            if !global.thread_local {
                state.memory.insert(self.tables.global(id).0, Rc::new(Contents::new(Fill::Image(id))));
            }
        }
        state.memory.insert(Base::INDETERMINATE.0, Rc::new(Contents::new(Fill::Any)));
        self.grow();
        if !self.frozen {
            self.solution.abstract_threads[0].ended = Some(Map::new());
        }
        transfer::start_thread(self, AbstractThread(0), state);
    }

    fn solve(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut steps = 0u32;
        while let Some((_, node)) = self.work.pop_first() {
            if !self.marks.unguarded && self.tables.abstract_threads.len() > MOST_GUARDED {
                self.again = Some(Again::Unguarded);
            }
            if !matches!(self.again, None | Some(Again::Guards)) {
                return Ok(());
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(256)
                && let Some(limit) = budget.exhausted()
            {
                return Err(Stop::Limit(limit));
            }
            self.look_at(node);
        }
        self.check_guards();
        Ok(())
    }

    /// Nothing may change.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    fn look_at(&mut self, node: u32) {
        self.grow();
        self.at = node;
        for state in self.solution.states[node as usize].clone() {
            transfer::from_node(self, node, &state);
        }
    }

    /// Room for what the tables have got since.
    fn grow(&mut self) {
        let solution = &mut self.solution;
        solution.states.resize(self.tables.nodes.len(), SmallVec::new());
        self.visits.resize(self.tables.nodes.len(), 0);
        self.returns.resize(self.tables.call_strings.len(), 0);
        solution.exits.resize(self.tables.call_strings.len(), [const { None }; PHASES.len()]);
        solution.callers.resize(self.tables.call_strings.len(), BTreeSet::new());
        while solution.abstract_threads.len() < self.tables.abstract_threads.len() {
            solution.abstract_threads.push(AbstractThreadFacts::new());
        }
    }

    fn enqueue(&mut self, node: u32) {
        let call_string = self.tables.nodes[node as usize].call_string;
        self.work.insert((std::cmp::Reverse(call_string), node));
    }

    /// Something would change that must not.
    pub fn objects(&mut self, what: impl FnOnce() -> String) -> bool {
        if self.frozen {
            self.violated.get_or_insert_with(what);
        }
        self.frozen
    }

    fn wake(&mut self, source: Source) {
        for node in self.readers.get(&source).cloned().unwrap_or_default() {
            self.enqueue(node);
        }
    }

    fn depend(&mut self, source: Source) {
        self.readers.entry(source).or_default().insert(self.at);
    }

    /// A state reaches a node.
    pub fn flow(&mut self, call_string: CallString, location: program::Location, mut state: State) {
        self.grow();
        let node = self.tables.node(call_string, location, state.phase);
        let index = node as usize;
        let old = &self.solution.states[index];
        let key = self.key(call_string, &state);
        let slot = match old.iter().position(|old| self.key(call_string, old) == key) {
            Some(slot) => slot,
            None if old.len() < MOST_STATES => old.len(),
            None => old.len() - 1,
        };
        if !self.frozen
            && let Some(old) = self.solution.states[index].get(slot).cloned()
            && old.borrowed != state.borrowed
        {
            let before = old.borrowed.clone();
            let (old, less) = self.with_same_borrowed(call_string, Some(old), state);
            state = less;
            let old = old.expect("there is one");
            // If only the new one gave something back, all is as before: an edge from the node to itself would never rest else.
            if old.borrowed != before {
                self.solution.states[index][slot] = old;
                self.enqueue(node);
            }
        }
        let old = &self.solution.states[index];
        let within = |old: &Rc<State>| state.leq(old, &self.tables, self.program);
        if old.get(slot).is_some_and(within) || self.frozen && self.is_contained(call_string, index, &state) {
            return;
        }
        if self.objects(|| format!("a state at {call_string} {location} is missing")) {
            return;
        }
        let new = match self.solution.states[index].get(slot) {
            None => state,
            Some(old) if self.is_head(call_string, location) && self.visits[index] >= PATIENCE => {
                old.widen(&state, &self.tables, self.program, self.resting_places(self.visits[index]))
            }
            Some(old) => old.join(&state, &self.tables, self.program),
        };
        self.visits[index] += 1;
        let states = &mut self.solution.states[index];
        if slot == states.len() {
            states.push(Rc::new(new));
        } else {
            states[slot] = Rc::new(new);
        }
        self.enqueue(node);
    }

    /// Is the state one of those of the node, perhaps when it has given back what that has not?
    fn is_contained(&mut self, call_string: CallString, node: usize, state: &State) -> bool {
        let before = self.violated.take();
        let found = self.solution.states[node].clone().iter().any(|old| {
            let common = old.borrowed.intersect(&state.borrowed, |_, (), ()| Some(()));
            self.violated = None;
            let less = transfer::give_back(self, call_string, state.clone(), &common);
            self.violated.is_none() && less.leq(old, &self.tables, self.program)
        });
        self.violated = before;
        found
    }

    /// What only one of two states has in its hands is given back.
    fn with_same_borrowed(
        &mut self,
        call_string: CallString,
        old: Option<Rc<State>>,
        state: State,
    ) -> (Option<Rc<State>>, State) {
        let Some(mut old) = old else { return (None, state) };
        let mut state = state;
        // What is given back takes with it what it leads to.
        while old.borrowed != state.borrowed {
            let common = old.borrowed.intersect(&state.borrowed, |_, (), ()| Some(()));
            state = transfer::give_back(self, call_string, state, &common);
            old = Rc::new(transfer::give_back(self, call_string, State::clone(&old), &common));
        }
        (Some(old), state)
    }

    /// Where bounds may rest on their way up, for a while.
    fn resting_places(&self, visits: u32) -> &[i64] {
        if visits < ENOUGH { &self.thresholds } else { &[] }
    }

    /// Where bounds are widened: every cycle passes through such a node.
    fn is_head(&self, call_string: CallString, location: program::Location) -> bool {
        let info = &self.tables.call_strings[call_string];
        let function = &self.program.functions[info.function];
        let entered_often = info.recursive || self.tables.merged || info.caller.is_none();
        function.is_loop_head(location) || location == function.entry && entered_often
    }

    /// States that differ in these are kept apart: locks, and truth values that the frame has just got or was called with.
    fn key(&self, call_string: CallString, state: &State) -> Key {
        let info = &self.tables.call_strings[call_string];
        let function = &self.program.functions[info.function];
        let mut truths = SmallVec::new();
        for (variable, value) in state.variables.iter_range(self.tables.variables_of(self.program, call_string)) {
            let local = program::LocalId(variable - info.first_variable);
            let counts = function.locals[local].kind != program::LocalKind::Named
                || self.tables.shapes[info.function].results[base::Idx::index(local)];
            if counts && let Some(bits @ 0..=1) = value.as_constant() {
                truths.push((variable, bits == 1));
            }
        }
        Key { locks: state.locks.iter().map(|lock| (lock.name, lock.mode, lock.condition)).collect(), truths }
    }

    /// A call string ends with this state.
    pub fn exit(&mut self, call_string: CallString, state: State) {
        self.grow();
        let index = state.phase as usize;
        let old = self.solution.exits[call_string.index()][index].clone();
        let (old, state) = self.with_same_borrowed(call_string, old, state);
        let new = match &old {
            None => state,
            Some(old) if state.leq(old, &self.tables, self.program) => State::clone(old),
            Some(old) if self.returns[call_string.index()] >= PATIENCE => {
                old.widen(&state, &self.tables, self.program, &self.thresholds)
            }
            Some(old) => old.join(&state, &self.tables, self.program),
        };
        if self.solution.exits[call_string.index()][index].as_deref() == Some(&new)
            || self.objects(|| format!("an end of {call_string} is missing"))
        {
            return;
        }
        let info = &self.tables.call_strings[call_string];
        self.returns[call_string.index()] += u32::from(info.recursive || self.tables.merged);
        self.solution.exits[call_string.index()][index] = Some(Rc::new(new));
    }

    /// True if the caller is new.
    pub fn add_caller(&mut self, call_string: CallString, caller: (CallString, program::EdgeId)) -> bool {
        self.grow();
        if self.solution.callers[call_string.index()].contains(&caller) {
            return false;
        }
        if self.objects(|| format!("a caller of {call_string} is missing")) {
            return false;
        }
        self.solution.callers[call_string.index()].insert(caller)
    }

    /// What is in a shared object. Whoever asks is looked at again when that grows.
    pub fn shared_contents(&mut self, base: Base) -> Option<Rc<Contents>> {
        self.depend(Source::Shared(base));
        self.solution.shared.get(&base).map(|shared| shared.contents.clone())
    }

    /// Is this true of all edges that write to a shared object? Whoever is told so is looked at again when there are more.
    pub fn all_writers(&mut self, base: Base, is: impl Fn((CallString, program::EdgeId)) -> bool) -> bool {
        let all = self.solution.shared.get(&base).is_some_and(|shared| shared.writers.iter().all(|w| is(*w)));
        if all {
            self.depend(Source::Writers(base));
        } else if !self.solution.shared.contains_key(&base) {
            self.depend(Source::Shared(base));
        }
        all
    }

    /// An object becomes reachable for others, with these contents.
    pub fn publish(&mut self, base: Base, contents: &Contents) {
        match self.solution.shared.get(&base) {
            None => self.set_shared(base, contents.clone(), None),
            Some(old) => {
                let contents = old.contents.join(contents, &self.tables, self.program);
                self.set_shared(base, contents, None);
            }
        }
    }

    /// The same to an object that others may be able to reach already: what was there is lost.
    pub fn publish_again(&mut self, base: Base, contents: &Contents, writer: (CallString, program::EdgeId)) {
        self.publish(base, contents);
        if let Some(shared) = self.solution.shared.get(&base) {
            let contents = (*shared.contents).clone();
            self.set_shared(base, contents, Some(writer));
        }
    }

    /// A value may be written to a shared object.
    pub fn write_shared(
        &mut self,
        base: Base,
        at: Offsets,
        ty: program::Scalar,
        value: &Value,
        writer: (CallString, program::EdgeId),
    ) {
        // If it is shared later, the value is there, too.
        self.depend(Source::Shared(base));
        let Some(old) = self.solution.shared.get(&base) else { return };
        let value = Value { term: None, ..value.clone() };
        let mut contents = (*old.contents).clone();
        contents.write_weakly(&self.tables, self.program, at, ty, &value);
        self.set_shared(base, contents, Some(writer));
    }

    fn set_shared(&mut self, base: Base, contents: Contents, writer: Option<(CallString, program::EdgeId)>) {
        let contents = contents.without_terms(|_| true).unwrap_or(contents);
        let old = self.solution.shared.get(&base);
        let new_writer = writer.filter(|writer| old.is_none_or(|old| !old.writers.contains(writer)));
        let grown = match old {
            None => Some(Rc::new(contents)),
            Some(old) if contents.leq(&old.contents, &self.tables, self.program) => None,
            Some(old) if old.updates >= SHARED_PATIENCE => {
                let widen = |a: &Value, b: &Value| a.widen(b, self.resting_places(old.updates));
                Some(Rc::new(old.contents.combine(&contents, &self.tables, self.program, widen)))
            }
            Some(old) => Some(Rc::new(old.contents.join(&contents, &self.tables, self.program))),
        };
        if grown.is_none() && new_writer.is_none() || self.objects(|| format!("shared contents of {base} are missing"))
        {
            return;
        }
        if let Some(contents) = grown {
            match self.solution.shared.get_mut(&base) {
                Some(shared) => (shared.contents, shared.updates) = (contents, shared.updates + 1),
                None => {
                    self.solution.shared.insert(base, Shared { contents, writers: BTreeSet::new(), updates: 0 });
                }
            }
            self.wake(Source::Shared(base));
        }
        if let Some(writer) = new_writer {
            self.note_writer(base, writer);
        }
    }

    /// A shared object is written to, perhaps by a thread that has it in its hands.
    pub fn note_writer(&mut self, base: Base, writer: (CallString, program::EdgeId)) {
        let known = self.solution.shared.get(&base).is_none_or(|shared| shared.writers.contains(&writer));
        if known || self.objects(|| format!("a writer of {base} is missing")) {
            return;
        }
        if let Some(shared) = self.solution.shared.get_mut(&base) {
            shared.writers.insert(writer);
        }
        self.wake(Source::Writers(base));
    }

    /// What is known of an abstract thread. Whoever asks is looked at again when that grows.
    pub fn abstract_thread(&mut self, abstract_thread: AbstractThread) -> AbstractThreadFacts {
        self.grow();
        self.depend(Source::AbstractThread(abstract_thread));
        self.solution.abstract_threads[abstract_thread.index()].clone()
    }

    /// More is known of an abstract thread. True if that is new.
    pub fn change_crew(
        &mut self,
        abstract_thread: AbstractThread,
        change: impl FnOnce(&mut AbstractThreadFacts),
    ) -> bool {
        self.grow();
        let old = self.solution.abstract_threads[abstract_thread.index()].clone();
        let mut new = old.clone();
        change(&mut new);
        if new == old {
            return false;
        }
        if self.objects(|| format!("facts about abstract thread {abstract_thread} are missing")) {
            return false;
        }
        new.updates += 1;
        if new.updates > SHARED_PATIENCE {
            new.argument = old.argument.widen(&new.argument, &self.thresholds);
            new.result = old.result.widen(&new.result, &self.thresholds);
        }
        self.solution.abstract_threads[abstract_thread.index()] = new;
        self.wake(Source::AbstractThread(abstract_thread));
        true
    }

    /// A thread of the abstract thread is about to end.
    pub fn end(&mut self, abstract_thread: AbstractThread, state: State) {
        let old = self.solution.abstract_threads[abstract_thread.index()].end.clone();
        let (old, state) = self.with_same_borrowed(self.tables.abstract_threads[abstract_thread].root, old, state);
        let state = match &old {
            None => state,
            Some(old) if state.leq(old, &self.tables, self.program) => State::clone(old),
            Some(old) => old.widen(&state, &self.tables, self.program, &self.thresholds),
        };
        if self.change_crew(abstract_thread, |facts| facts.end = Some(Rc::new(state))) {
            self.finish(abstract_thread);
        }
    }

    fn finish(&mut self, abstract_thread: AbstractThread) {
        if let Some(state) = self.solution.abstract_threads[abstract_thread.index()].end.clone() {
            transfer::finish_thread(self, abstract_thread, &state);
        }
    }

    pub fn break_lock(&mut self, kind: Kind, base: Base, at: Offsets) {
        let new = match self.solution.broken.get(&(kind, base)) {
            Some(old) if at.leq(*old) => return,
            Some(old) => old.widen(at),
            None => at,
        };
        if !self.objects(|| "a lock may be opened by others".to_owned()) {
            self.solution.broken.insert((kind, base), new);
        }
    }

    pub fn add_destructor(&mut self, value: &Value) {
        let value = Value { term: None, ..value.clone() };
        if value.leq(&self.solution.destructors) || self.objects(|| "a destructor is missing".to_owned()) {
            return;
        }
        self.solution.destructors = self.solution.destructors.join(&value);
        self.wake(Source::Destructors);
        for abstract_thread in 0..self.solution.abstract_threads.len() {
            self.finish(AbstractThread::from_usize(abstract_thread));
        }
    }

    /// What numbers may lead to. Whoever asks is looked at again when that grows.
    pub fn exposed(&mut self) -> &Exposure {
        self.depend(Source::Exposed);
        &self.solution.exposed
    }

    /// Addresses are looked at.
    pub fn expose(&mut self, exposure: &Exposure) {
        if self.solution.exposed.includes(exposure) || self.objects(|| "an exposed object is missing".to_owned()) {
            return;
        }
        self.solution.exposed.join(exposure);
        self.wake(Source::Exposed);
    }

    /// A global is written in a way that it need not rise.
    pub fn note_falling(&mut self, base: Base) {
        if !self.solution.falling.contains(&base) && !self.objects(|| format!("{base} may fall")) {
            self.solution.falling.insert(base);
        }
    }

    /// A block of at least this size is made.
    pub fn note_size(&mut self, own: Base, size: i64) {
        let known = self.solution.sizes.get(&own).is_some_and(|known| *known <= size);
        if !known && !self.objects(|| format!("a size of {own} is missing")) {
            self.solution.sizes.insert(own, size);
        }
    }

    pub fn note_freed(&mut self, own: Base) {
        if !self.solution.freed.contains(&own) && !self.objects(|| format!("an end of {own} is missing")) {
            self.solution.freed.insert(own);
        }
    }

    pub fn meet_unsupported(&mut self, what: &str) {
        if !self.solution.unsupported.contains(what) && !self.objects(|| format!("{what} is not understood")) {
            self.solution.unsupported.insert(what.into());
        }
    }
}

/// Is there a mutex that may be initialised as one that reports errors?
fn may_check_errors(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        function.edges.iter().any(|edge| {
            let Op::Thread(op) = &edge.op else { return false };
            let ThreadOp::Mutex { op: MutexOp::Init { kind }, .. } = **op else { return false };
            !matches!(function.exprs[kind].kind, ExprKind::Const(kind) if kind & 3 != 2)
        })
    })
}

/// Where bounds may rest on their way up: constants of the program and their neighbours.
fn thresholds(program: &Program) -> Vec<i64> {
    const MOST: usize = 400;
    let mut found = BTreeSet::new();
    for function in program.functions.iter() {
        for (value, width) in constants(function) {
            let value = semantics::ops::sign_extend(value, width) as i64;
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    }
    found.into_iter().take(MOST).collect()
}

/// The integers that expressions without variables are worth, and their widths.
fn constants(function: &program::Function) -> Vec<(u128, u32)> {
    let mut known: Vec<Option<u128>> = Vec::with_capacity(function.exprs.len());
    for expr in function.exprs.iter() {
        let value = match (expr.kind, expr.ty) {
            (ExprKind::Const(bits), program::Scalar::Int(2..=64)) => Some(u128::from(bits)),
            (ExprKind::Binary(op, a, b), program::Scalar::Int(2..=64)) => {
                let ty = |id: program::ExprId| function.exprs[id].ty;
                known[a.index()]
                    .zip(known[b.index()])
                    .and_then(|(x, y)| semantics::ops::binary(op, ty(a), x, ty(b), y).ok())
            }
            _ => None,
        };
        known.push(value);
    }
    let widths = function.exprs.iter().map(|expr| expr.ty.bits());
    known.into_iter().zip(widths).filter_map(|(value, width)| Some((value?, width))).collect()
}

//! The exhaustive explorer: every schedule, every choice, inputs from a small set; each possible outcome with a run that has it.
//! Naive on purpose: it is what faster searches are compared with.

use std::collections::BTreeMap;
use std::rc::Rc;

use program::{End, ErrorKind, Input, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::canonical::renamed;
use crate::next::{is_deadlock, runnable_among};
use crate::reach::{live_blocks, lost_block};
use crate::state::{Object, State, Thread};
use crate::step::{Ending, Environment, Machine, Undefined, Violation};
use crate::trace::{Trace, TraceStep};
use crate::value::{ThreadId, mask};

/// How a run can come out, or what can happen in one.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Outcome {
    /// The program ended by itself, having printed this.
    Ended(HowEnded, Vec<u8>),
    Error(ErrorKind),
    Overflow,
    InvalidAccess,
    InvalidFree,
    /// A heap block that nothing leads to.
    Lost,
    /// A heap block that is not freed when `main` returns.
    NotFreed,
    Deadlock,
    Race,
    Undefined(Undefined),
    Unsupported(Box<str>),
    Limit(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum HowEnded {
    /// `main` returned, or every thread finished.
    Normally,
    Exit,
    Abort,
}

#[derive(Clone, Debug)]
pub struct Limits {
    /// Values that inputs take, converted to their types.
    pub inputs: Vec<i64>,
    pub states: usize,
    /// Recognise states that differ only in names.
    pub canonical: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { inputs: vec![0, 1], states: 1_000_000, canonical: true }
    }
}

#[derive(Debug)]
pub struct Exploration {
    pub outcomes: BTreeMap<Outcome, Trace>,
    pub states: usize,
    /// False if the limit of states struck.
    pub complete: bool,
    /// Bytes that the visited states take.
    pub bytes: usize,
}

impl Machine<'_> {
    pub fn explore(&self, limits: &Limits) -> Exploration {
        let mut explorer = Explorer {
            machine: self,
            limits,
            store: Store::default(),
            visited: FxHashSet::default(),
            nodes: Vec::new(),
            stack: Vec::new(),
            outcomes: BTreeMap::new(),
        };
        let complete = explorer.run();
        let bytes = explorer.visited.iter().map(|key| key.len() * 4 + 16).sum::<usize>() + explorer.store.bytes();
        Exploration { outcomes: explorer.outcomes, states: explorer.visited.len(), complete, bytes }
    }
}

struct Explorer<'e, 'p> {
    machine: &'e Machine<'p>,
    limits: &'e Limits,
    store: Store,
    visited: FxHashSet<Box<[u32]>>,
    /// How each state was reached: from which, by which step. The first ones have the choices of the start instead.
    nodes: Vec<(Option<usize>, TraceStep)>,
    stack: Vec<(State, Rc<Vec<u8>>, usize)>,
    outcomes: BTreeMap<Outcome, Trace>,
}

impl Explorer<'_, '_> {
    fn run(&mut self) -> bool {
        for_each_choice(&self.limits.inputs, |choices| {
            let state = self.machine.initial(choices);
            let start = TraceStep { thread: ThreadId(0), edge: program::EdgeId(0), choices: choices.taken() };
            self.visit(state, Rc::default(), None, start);
        });
        while let Some((state, output, node)) = self.stack.pop() {
            if self.visited.len() > self.limits.states {
                return false;
            }
            self.expand(&state, &output, node);
        }
        true
    }

    fn expand(&mut self, state: &State, output: &Rc<Vec<u8>>, node: usize) {
        let next = self.machine.next_of_all(state);
        if self.machine.race_among(state, &next).is_some() {
            self.record(Outcome::Race, node, None);
        }
        if is_deadlock(&next) {
            self.record(Outcome::Deadlock, node, None);
        }
        let mut steps = Vec::new();
        runnable_among(state, &next, &mut steps);
        if steps.is_empty() && state.thread_ids().all(|t| state.thread(t).frames.is_empty()) {
            self.end(state, HowEnded::Normally, output.to_vec(), node, None);
        }
        for (thread, edge) in steps {
            let machine = self.machine;
            for_each_choice(&self.limits.inputs, |choices| {
                let mut next = state.clone();
                let effects = machine.step(&mut next, thread, edge, choices);
                let step = TraceStep { thread, edge, choices: choices.taken() };
                let output = if choices.output.is_empty() {
                    output.clone()
                } else {
                    Rc::new([output.as_slice(), &choices.output].concat())
                };
                for outcome in effects.violations.into_iter().filter_map(Outcome::of) {
                    self.record(outcome, node, Some(&step));
                }
                match effects.ending {
                    None => self.visit(next, output, Some(node), step),
                    Some(ending) => self.ended(ending, &next, output, node, &step),
                }
            });
        }
    }

    fn visit(&mut self, mut state: State, output: Rc<Vec<u8>>, from: Option<usize>, step: TraceStep) {
        // Names in a recorded run are those of its own states, so only the key is canonical.
        let key = match self.limits.canonical.then(|| renamed(&state)).flatten() {
            Some(mut renamed) => self.store.key(&mut renamed, Some(&mut state), &output),
            None => self.store.key(&mut state, None, &output),
        };
        if self.visited.insert(key) {
            self.nodes.push((from, step));
            let node = self.nodes.len() - 1;
            if lost_block(&state).is_some() {
                self.record(Outcome::Lost, node, None);
            }
            self.stack.push((state, output, node));
        }
    }

    fn ended(&mut self, ending: Ending, state: &State, output: Rc<Vec<u8>>, node: usize, step: &TraceStep) {
        match ending {
            Ending::Program(End::Return) => self.end(state, HowEnded::Normally, output.to_vec(), node, Some(step)),
            Ending::Program(End::Exit) => {
                self.record(Outcome::Ended(HowEnded::Exit, output.to_vec()), node, Some(step));
            }
            Ending::Program(End::Abort) => {
                self.record(Outcome::Ended(HowEnded::Abort, output.to_vec()), node, Some(step));
            }
            Ending::Program(End::Cut) => {}
            Ending::Undefined(kind) => self.record(Outcome::Undefined(kind), node, Some(step)),
            Ending::Unsupported(what) => self.record(Outcome::Unsupported(what), node, Some(step)),
            Ending::Limit(what) => self.record(Outcome::Limit(what), node, Some(step)),
        }
    }

    fn end(&mut self, state: &State, how: HowEnded, output: Vec<u8>, node: usize, step: Option<&TraceStep>) {
        if live_blocks(state).next().is_some() {
            self.record(Outcome::NotFreed, node, step);
        }
        self.record(Outcome::Ended(how, output), node, step);
    }

    fn record(&mut self, outcome: Outcome, node: usize, step: Option<&TraceStep>) {
        if !self.outcomes.contains_key(&outcome) {
            let trace = self.trace(node, step);
            self.outcomes.insert(outcome, trace);
        }
    }

    fn trace(&self, node: usize, last: Option<&TraceStep>) -> Trace {
        let mut steps: Vec<TraceStep> = last.cloned().into_iter().collect();
        let mut at = node;
        loop {
            let (from, step) = &self.nodes[at];
            match from {
                Some(from) => {
                    steps.push(step.clone());
                    at = *from;
                }
                None => {
                    steps.reverse();
                    return Trace { start: step.choices.clone(), steps };
                }
            }
        }
    }
}

impl Outcome {
    /// `None` for undefined behaviour: the ending says which it is.
    pub fn of(violation: Violation) -> Option<Outcome> {
        Some(match violation {
            Violation::Error(kind) => Outcome::Error(kind),
            Violation::Overflow => Outcome::Overflow,
            Violation::InvalidAccess => Outcome::InvalidAccess,
            Violation::InvalidFree => Outcome::InvalidFree,
            Violation::Undefined => return None,
        })
    }
}

/// Runs `body` once for every sequence of choices: the last choice changes first.
pub fn for_each_choice(inputs: &[i64], mut body: impl FnMut(&mut Choices<'_>)) {
    let mut script: Vec<usize> = Vec::new();
    loop {
        let mut choices = Choices { inputs, script: &script, made: Vec::new(), output: Vec::new() };
        body(&mut choices);
        let made = choices.made;
        script = made.iter().map(|choice| choice.index).collect();
        while let Some(index) = script.pop() {
            if index + 1 < made[script.len()].options {
                script.push(index + 1);
                break;
            }
        }
        if script.is_empty() {
            return;
        }
    }
}

struct Choice {
    index: usize,
    options: usize,
    value: u128,
}

/// Follows a script of choices, then takes the first option each time.
pub struct Choices<'i> {
    inputs: &'i [i64],
    script: &'i [usize],
    made: Vec<Choice>,
    pub output: Vec<u8>,
}

impl Choices<'_> {
    pub fn taken(&self) -> Vec<u128> {
        self.made.iter().map(|choice| choice.value).collect()
    }

    fn make(&mut self, options: usize, value: impl FnOnce(usize) -> u128) -> u128 {
        let index = self.script.get(self.made.len()).copied().unwrap_or(0);
        let value = value(index);
        self.made.push(Choice { index, options, value });
        value
    }
}

impl Environment for Choices<'_> {
    fn input(&mut self, ty: Scalar, _: Input) -> u128 {
        let mut values: Vec<u128> = Vec::new();
        for input in self.inputs {
            let bits = *input as i128 as u128 & mask(ty);
            if !values.contains(&bits) {
                values.push(bits);
            }
        }
        self.make(values.len().max(1), |index| values.get(index).copied().unwrap_or(0))
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.make(options as usize, |index| index as u128) as u32
    }

    fn print(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }
}

/// Components of states, each stored once; a state is the list of their numbers.
#[derive(Default)]
struct Store {
    threads: Components<Thread>,
    objects: Components<Object>,
    rest: FxHashMap<Rest, u32>,
}

struct Components<T> {
    numbers: FxHashMap<Rc<T>, u32>,
    /// By address, for the components that are stored: most of a state is what the state before had.
    addresses: FxHashMap<*const T, u32>,
}

impl<T> Default for Components<T> {
    fn default() -> Self {
        Components { numbers: FxHashMap::default(), addresses: FxHashMap::default() }
    }
}

impl<T: std::hash::Hash + Eq> Components<T> {
    /// The number of a component, which becomes the stored one; so it does in `twin`, where the state has it too.
    fn number(&mut self, component: &mut Rc<T>, twin: Option<&mut Vec<Rc<T>>>) -> u32 {
        if let Some(number) = self.addresses.get(&Rc::as_ptr(component)) {
            return *number;
        }
        let Some((stored, number)) = self.numbers.get_key_value(component) else {
            let number = self.numbers.len() as u32;
            self.numbers.insert(component.clone(), number);
            self.addresses.insert(Rc::as_ptr(component), number);
            return number;
        };
        let was = std::mem::replace(component, stored.clone());
        for twin in twin.into_iter().flatten().filter(|twin| Rc::ptr_eq(twin, &was)) {
            *twin = stored.clone();
        }
        *number
    }
}

/// What is left of a state beside threads and objects, with what was printed.
#[derive(PartialEq, Eq, Hash)]
struct Rest {
    locks: Rc<BTreeMap<crate::state::LockKey, crate::state::Lock>>,
    keys: Rc<Vec<Option<crate::value::Value>>>,
    atomic: Option<ThreadId>,
    addresses_seen: bool,
    output: Rc<Vec<u8>>,
}

impl Store {
    /// Of a state, or of its representative. Components become the stored ones, in `twin` too.
    fn key(&mut self, state: &mut State, mut twin: Option<&mut State>, output: &Rc<Vec<u8>>) -> Box<[u32]> {
        let mut key = Vec::with_capacity(state.threads.len() + state.objects.len() + 2);
        key.push(state.threads.len() as u32);
        let rest = Rest {
            locks: state.locks.clone(),
            keys: state.keys.clone(),
            atomic: state.atomic,
            addresses_seen: state.addresses_seen,
            output: output.clone(),
        };
        let next = self.rest.len() as u32;
        key.push(*self.rest.entry(rest).or_insert(next));
        for thread in &mut state.threads {
            key.push(self.threads.number(thread, twin.as_mut().map(|twin| &mut twin.threads)));
        }
        for object in &mut state.objects {
            key.push(self.objects.number(object, twin.as_mut().map(|twin| &mut twin.objects)));
        }
        key.into()
    }

    /// What the components take, roughly: their own size and what hangs from them.
    fn bytes(&self) -> usize {
        let frame = |f: &crate::state::Frame| std::mem::size_of_val(f) + std::mem::size_of_val(&*f.locals);
        let thread = |t: &Rc<Thread>| size_of::<Thread>() + t.frames.iter().map(|f| frame(f)).sum::<usize>();
        let threads: usize = self.threads.numbers.keys().map(thread).sum();
        threads + self.objects.numbers.len() * size_of::<Object>() + self.rest.len() * size_of::<Rest>()
    }
}

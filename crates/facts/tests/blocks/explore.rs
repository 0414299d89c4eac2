//! All states of a program, or those that a scheduler passes that switches threads only outside blocks.

use std::collections::BTreeSet;
use std::rc::Rc;

use facts::blocks::Blocks;
use program::{EdgeId, FunctionId, Location};
use rustc_hash::FxHashSet;
use semantics::{
    Effects, Ending, Machine, State, ThreadId, ThreadLife, Undefined, Value, Violation, canonical, for_each_choice,
};

#[derive(Clone, Copy)]
pub enum Scheduler<'b> {
    /// Switches threads anywhere.
    Free,
    Outside(&'b Blocks),
}

/// What may be wrong with a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Mistake {
    Violation(Violation),
    Undefined(Undefined),
}

/// A step as its thread sees it: which thread, where its frames are, the edge, the values of the running frame that are numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LocalStep {
    thread: Rc<[u32]>,
    frames: Box<[(FunctionId, Location)]>,
    edge: EdgeId,
    values: Box<[Value]>,
}

#[derive(Default)]
pub struct Space {
    pub states: Vec<State>,
    pub mistakes: BTreeSet<(FunctionId, EdgeId, Mistake)>,
    pub steps: FxHashSet<LocalStep>,
    /// States in which no thread is inside a block.
    pub between: usize,
}

/// `None` if there are more states, or the interpreter cannot hold one.
pub fn explore(machine: &Machine<'_>, inputs: &[i64], most: usize, scheduler: Scheduler<'_>) -> Option<Space> {
    let mut space = Space::default();
    let (mut seen, mut stack) = (FxHashSet::default(), Vec::new());
    for_each_choice(inputs, |choices| stack.push(machine.initial(choices)));
    let mut complete = true;
    while let Some(state) = stack.pop() {
        if !seen.insert(canonical(state.clone())) {
            continue;
        }
        if !complete || seen.len() > most {
            return None;
        }
        let mut steps = machine.runnable(&state);
        match scheduled(&state, scheduler) {
            Some(running) => steps.retain(|(thread, _)| *thread == running),
            None => space.between += 1,
        }
        for (thread, edge) in steps {
            space.steps.insert(local_step(&state, thread, edge));
            let function = state.frame(thread).function;
            for_each_choice(inputs, |choices| {
                let mut next = state.clone();
                let effects = machine.step(&mut next, thread, edge, choices);
                complete &= !matches!(effects.ending, Some(Ending::Limit(_) | Ending::Unsupported(_)));
                space.mistakes.extend(mistakes(&effects).map(|mistake| (function, edge, mistake)));
                if effects.ending.is_none() {
                    stack.push(next);
                }
            });
        }
        space.states.push(state);
    }
    complete.then_some(space)
}

/// The thread that must run, for it is inside a block.
fn scheduled(state: &State, scheduler: Scheduler<'_>) -> Option<ThreadId> {
    let Scheduler::Outside(blocks) = scheduler else { return None };
    let is_inside = |thread: &ThreadId| {
        let runs = state.thread(*thread).life != ThreadLife::Finished;
        runs && blocks.is_inside(state.frame(*thread).function, state.frame(*thread).location)
    };
    let mut inside = state.thread_ids().filter(is_inside);
    let running = inside.next();
    assert_eq!(inside.next(), None, "two threads are inside a block");
    running
}

fn mistakes(effects: &Effects) -> impl Iterator<Item = Mistake> {
    let undefined = match effects.ending {
        Some(Ending::Undefined(kind)) => Some(Mistake::Undefined(kind)),
        _ => None,
    };
    effects.violations.iter().map(|violation| Mistake::Violation(*violation)).chain(undefined)
}

fn local_step(state: &State, thread: ThreadId, edge: EdgeId) -> LocalStep {
    let value = |value: &Value| if value.bits().is_some() { *value } else { Value::Undefined };
    let frames = &state.thread(thread).frames;
    LocalStep {
        thread: state.thread(thread).path.clone(),
        frames: frames.iter().map(|frame| (frame.function, frame.location)).collect(),
        edge,
        values: state.frame(thread).locals.iter().map(value).collect(),
    }
}

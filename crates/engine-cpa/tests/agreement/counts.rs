//! How many states there are: as many for the engine as for the explorer, where nothing is unknown. What is expected to differ:
//! - what was printed belongs to the explorer's states, so it is left out here;
//! - the engine forgets dead locals that have a name, unless the target is lost memory; then there are fewer states;
//! - it forgets the result of a thread that was joined or detached; so does the explorer here;
//! - it numbers threads as they are created, the explorer by who creates them: where several threads create some, it has more;
//! - its objects know where they were made, also those that ended: equal blocks of different places are different.

use std::cmp::Ordering;
use std::rc::Rc;

use engine_cpa::{CpaEngine, Options, Reduction};
use program::{Input, Program, Scalar};
use rustc_hash::FxHashSet;
use semantics::{Choices, Ending, Environment, Machine, State, ThreadLife, Value, canonical, for_each_choice};
use testing::generate::{GenerateOptions, generate};
use testing::{files, name};
use verify::{SharedFacts, Statistic, Target, Verdict};

use crate::MOST_STATES;
use crate::support;

const RANDOM_PROGRAMS: u64 = 100;

/// The engine has one more. `sprintf_races`: the engine has a symbol for what is printed. `stack_push`: of two locals that ended
/// another one is the first.
const ONE_MORE: [&str; 2] = ["sprintf_races", "stack_push"];

/// Passes choices on, and notes whether an input was among them.
struct NotesInputs<'a, 'i> {
    choices: &'a mut Choices<'i>,
    inputs: &'a mut bool,
}

impl Environment for NotesInputs<'_, '_> {
    fn input(&mut self, ty: Scalar, why: Input) -> u128 {
        *self.inputs = true;
        self.choices.input(ty, why)
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.choices.choose(options)
    }

    fn print(&mut self, _: &[u8]) {}
}

/// The number of states. `None` if not all are known.
fn states(machine: &Machine<'_>) -> Option<usize> {
    let mut count = 0;
    for_each_state(machine, |_| count += 1).then_some(count)
}

/// All states, without what was printed. False if there are too many, if something is unknown in one (inputs, addresses as numbers,
/// what the interpreter does not do), or if others than the first thread create threads.
pub fn for_each_state(machine: &Machine<'_>, mut look: impl FnMut(&State)) -> bool {
    let (mut seen, mut stack) = (FxHashSet::default(), Vec::new());
    let mut unknown = false;
    for_each_choice(&[0], |choices| {
        stack.push(machine.initial(&mut NotesInputs { choices, inputs: &mut unknown }));
    });
    while let Some(state) = stack.pop() {
        if !seen.insert(without_results(canonical(state.clone()))) {
            continue;
        }
        let creates = state.threads.iter().skip(1).any(|thread| thread.children > 0);
        if unknown || creates || state.addresses_seen || seen.len() > MOST_STATES {
            return false;
        }
        look(&state);
        for (thread, edge) in machine.runnable(&state) {
            for_each_choice(&[0], |choices| {
                let mut next = state.clone();
                let effects = machine.step(&mut next, thread, edge, &mut NotesInputs { choices, inputs: &mut unknown });
                match effects.ending {
                    None => stack.push(next),
                    Some(Ending::Limit(_) | Ending::Unsupported(_)) => unknown = true,
                    Some(_) => {}
                }
            });
        }
    }
    !unknown
}

/// The results of these threads are not read.
pub fn without_results(mut state: State) -> State {
    for thread in &mut state.threads {
        let is_over = thread.life == ThreadLife::Finished && (thread.joined || thread.detached);
        if is_over && thread.result != Value::NULL {
            Rc::make_mut(thread).result = Value::NULL;
        }
    }
    state
}

/// All states of the engine: without dead locals, and with those that have a name, if no memory is lost.
fn states_of_engine(program: &Program) -> (usize, Option<usize>) {
    let most_states = Some(2 * MOST_STATES as u64);
    let plain = Options { reduction: Reduction::None, facts: false, most_states, ..Options::default() };
    let options = Options { symmetry: false, ..plain };
    let run = |target| support::run(&mut CpaEngine::value(options.clone()), program, &SharedFacts::default(), target);
    let states = |outcome| support::statistic(outcome, Statistic::States) as usize;
    // No engine finds an endless run, so nothing stops the search.
    let kept = run(Target::Lost);
    let is_complete = matches!(kept.verdict, Verdict::Holds(_));
    (states(&run(Target::Endless)), is_complete.then(|| states(&kept)))
}

#[test]
fn there_are_as_many_states_as_the_explorer_finds() {
    let mut compared =
        testing::on_files(&files("tests/programs"), |path, listed| compare(&name(path), &listed.program));
    let seeds: Vec<u64> = (0..RANDOM_PROGRAMS).collect();
    compared.extend(testing::all_right(testing::for_each(&seeds, |seed| {
        let text = generate(*seed, &GenerateOptions::default());
        // Blocks of different places.
        let has_sites = text.contains("alloc(sizeof") || text.contains("calloc(1");
        let compared = if has_sites { Ok(None) } else { compare("", &testing::program(&text)) };
        compared.map_err(|problem| format!("seed {seed}: {problem}"))
    })));
    let compared: Vec<Ordering> = compared.into_iter().flatten().collect();
    assert!(!compared.is_empty(), "nothing was compared");
    let fewer = compared.iter().filter(|ordering| **ordering == Ordering::Less).count();
    println!("{} programs; in {fewer} the engine has fewer states for want of dead locals", compared.len());
}

/// How many states the engine has, compared with the explorer. `None` if that does not know all.
fn compare(name: &str, program: &Program) -> Result<Option<Ordering>, String> {
    let Some(theirs) = states(&Machine::new(program)) else { return Ok(None) };
    let (ours, kept) = states_of_engine(program);
    let expected = theirs + usize::from(ONE_MORE.contains(&name));
    if ours > expected || kept.is_some_and(|kept| kept != expected) {
        return Err(format!("the explorer has {theirs}, the engine {ours}; with dead locals {kept:?}"));
    }
    Ok(Some(ours.cmp(&expected)))
}

//! Random threaded programs: the explorer, runs under random schedules and replay agree on what can happen.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start.

use std::collections::{BTreeMap, BTreeSet};

use program::{EdgeId, End, Input, Scalar};
use semantics::{
    Driver, Effects, Ending, Environment, Exploration, HowEnded, Limits, Machine, Outcome, Random, RunEnd, State,
    ThreadId, TraceStep, live_blocks, lost_block,
};
use testing::generate::{GenerateOptions, generate};
use testing::number;

const INPUTS: [i64; 3] = [0, 1, -2];
const STATES: usize = 50_000;
const RUNS: u64 = 20;
const LONGEST_RUN: usize = 3_000;

#[test]
fn explorer_runs_and_replay_agree() {
    let count = number("HEDDLE_RANDOM_PROGRAMS", 60);
    let first = number("HEDDLE_RANDOM_PROGRAMS_SEED", 0);
    let checked = testing::first_results(first, count as usize, |seed| {
        let text = generate(seed, &GenerateOptions::default());
        let checked = check(&text, seed).map_err(|problem| format!("seed {seed}: {problem}\n{text}"));
        checked.transpose().map(|checked| checked.map(|exploration| (text, exploration)))
    });
    let mut summary = Summary::default();
    testing::all_right(checked).iter().for_each(|(text, exploration)| summary.add(text, exploration));
    summary.print();
}

/// `None`: too many states.
fn check(text: &str, seed: u64) -> Result<Option<Exploration>, String> {
    let program = testing::try_program(text)?;
    let machine = Machine::new(&program);
    let limits = Limits { inputs: INPUTS.to_vec(), states: STATES, canonical: true };
    let exploration = machine.explore(&limits);
    if !exploration.complete {
        return Ok(None);
    }
    let plain = machine.explore(&Limits { canonical: false, ..limits });
    if !plain.complete {
        return Ok(None);
    }
    let outcomes: BTreeSet<Outcome> = exploration.outcomes.keys().cloned().collect();
    if !plain.outcomes.keys().eq(&outcomes) {
        return Err(format!("canonical {outcomes:?}, not canonical {:?}", plain.outcomes.keys()));
    }
    if let Some(bad) = outcomes.iter().find(|o| matches!(o, Outcome::Unsupported(_) | Outcome::Limit(_))) {
        return Err(format!("{bad:?}"));
    }
    for (outcome, trace) in exploration.outcomes.iter().chain(&plain.outcomes) {
        let mut seen = Seen::new(&machine);
        let replay = machine.replay(trace, |_, _| {}).map_err(|e| format!("replay of {outcome:?}: {e}"))?;
        if replay.last.ending.is_none() {
            seen.state(&replay.state);
        }
        seen.effects(&replay.state, &replay.last, &replay.output);
        if !seen.outcomes.contains(outcome) {
            return Err(format!("replay of {outcome:?} gives {:?}", seen.outcomes));
        }
    }
    for run in 0..RUNS {
        check_run(&machine, &outcomes, seed << 8 | run)?;
    }
    Ok(Some(exploration))
}

/// One random run, and its replay: what is seen in it is known to the explorer.
fn check_run(machine: &Machine<'_>, outcomes: &BTreeSet<Outcome>, seed: u64) -> Result<(), String> {
    let mut driver = RandomDriver { random: Random::new(seed), seen: Seen::new(machine), output: Vec::new(), steps: 0 };
    let run = machine.run(&mut driver);
    let mut seen = driver.seen;
    if run.end == RunEnd::AllFinished {
        seen.end(&run.state, HowEnded::Normally, &driver.output);
    }
    if run.end == RunEnd::Stuck && !seen.outcomes.contains(&Outcome::Deadlock) {
        return Err("a run is stuck without a deadlock".into());
    }
    if let Some(unknown) = seen.outcomes.difference(outcomes).next() {
        return Err(format!("a run has {unknown:?}, the explorer only {outcomes:?}"));
    }
    let replay = machine.replay(&run.trace, |_, _| {}).map_err(|e| format!("replay of a run: {e}"))?;
    let ending = match run.end {
        RunEnd::By(ending) => Some(ending),
        _ => None,
    };
    if replay.output != driver.output || replay.state != run.state || replay.last.ending != ending {
        return Err("the replay of a run differs from it".into());
    }
    Ok(())
}

/// Outcomes of a run, by the definition of each.
struct Seen<'m, 'p> {
    machine: &'m Machine<'p>,
    outcomes: BTreeSet<Outcome>,
}

impl<'m, 'p> Seen<'m, 'p> {
    fn new(machine: &'m Machine<'p>) -> Self {
        Seen { machine, outcomes: BTreeSet::new() }
    }

    fn state(&mut self, state: &State) {
        let holds = [
            (self.machine.race(state).is_some(), Outcome::Race),
            (self.machine.is_deadlock(state), Outcome::Deadlock),
            (lost_block(state).is_some(), Outcome::Lost),
        ];
        self.outcomes.extend(holds.into_iter().filter(|(holds, _)| *holds).map(|(_, outcome)| outcome));
    }

    fn effects(&mut self, state: &State, effects: &Effects, output: &[u8]) {
        self.outcomes.extend(effects.violations.iter().filter_map(|violation| Outcome::of(*violation)));
        match &effects.ending {
            None if state.threads.iter().all(|t| t.frames.is_empty()) => self.end(state, HowEnded::Normally, output),
            None | Some(Ending::Program(End::Cut)) => {}
            Some(Ending::Program(End::Return)) => self.end(state, HowEnded::Normally, output),
            Some(Ending::Program(End::Exit)) => {
                self.outcomes.insert(Outcome::Ended(HowEnded::Exit, output.to_vec()));
            }
            Some(Ending::Program(End::Abort)) => {
                self.outcomes.insert(Outcome::Ended(HowEnded::Abort, output.to_vec()));
            }
            Some(Ending::Undefined(kind)) => {
                self.outcomes.insert(Outcome::Undefined(*kind));
            }
            Some(Ending::Unsupported(what)) => {
                self.outcomes.insert(Outcome::Unsupported(what.clone()));
            }
            Some(Ending::Limit(what)) => {
                self.outcomes.insert(Outcome::Limit(what));
            }
        }
    }

    fn end(&mut self, state: &State, how: HowEnded, output: &[u8]) {
        if live_blocks(state).next().is_some() {
            self.outcomes.insert(Outcome::NotFreed);
        }
        self.outcomes.insert(Outcome::Ended(how, output.to_vec()));
    }
}

struct RandomDriver<'m, 'p> {
    random: Random,
    seen: Seen<'m, 'p>,
    output: Vec<u8>,
    steps: usize,
}

impl Environment for RandomDriver<'_, '_> {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.random.pick(&INPUTS) as i128 as u128
    }
    fn choose(&mut self, options: u32) -> u32 {
        self.random.below(options as usize) as u32
    }
    fn print(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }
}

impl Driver for RandomDriver<'_, '_> {
    fn schedule(&mut self, state: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize> {
        self.seen.state(state);
        self.steps += 1;
        (self.steps <= LONGEST_RUN).then(|| self.random.below(steps.len()))
    }
    fn see(&mut self, state: &State, _: &TraceStep, effects: &Effects) -> bool {
        if effects.ending.is_none() {
            self.seen.state(state);
        }
        self.seen.effects(state, effects, &self.output);
        true
    }
}

#[derive(Default)]
struct Summary {
    programs: u64,
    states: usize,
    largest: usize,
    /// Programs with each kind of outcome.
    outcomes: BTreeMap<String, u64>,
    /// Programs with each word that starts a primitive.
    words: BTreeMap<String, u64>,
    only_deadlock: u64,
    several_outputs: u64,
}

impl Summary {
    fn add(&mut self, text: &str, exploration: &Exploration) {
        self.programs += 1;
        self.states += exploration.states;
        self.largest = self.largest.max(exploration.states);
        let kind = |outcome: &Outcome| match outcome {
            Outcome::Ended(how, _) => format!("Ended {how:?}"),
            outcome => format!("{outcome:?}"),
        };
        let kinds: BTreeSet<String> = exploration.outcomes.keys().map(kind).collect();
        self.only_deadlock +=
            u64::from(kinds.contains("Deadlock") && !kinds.iter().any(|kind| kind.starts_with("Ended")));
        let outputs = exploration.outcomes.keys().filter(|o| matches!(o, Outcome::Ended(..))).count();
        self.several_outputs += u64::from(outputs > 1);
        kinds.into_iter().for_each(|kind| *self.outcomes.entry(kind).or_default() += 1);
        let is_primitive = |word: &&str| {
            let starts = ["pthread_", "sem_", "__atomic_", "__sync_", "__VERIFIER_", "_Atomic", "_Thread_local"];
            let own = ["malloc", "calloc", "free", "assert", "reach_error", "switch", "struct", "for", "while", "exit"];
            !word.ends_with("_t") && (starts.iter().any(|start| word.starts_with(start)) || own.contains(word))
        };
        let body = text.split_once("\npthread_t thread").map_or(text, |(_, body)| body);
        let words: BTreeSet<&str> =
            body.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_primitive).collect();
        words.into_iter().for_each(|word| *self.words.entry(word.to_owned()).or_default() += 1);
    }

    fn print(&self) {
        println!("outcomes: {:?}", self.outcomes);
        println!("primitives: {:?}", self.words);
        println!(
            "{} programs; {} states on average, {} at most; {} with several outputs, {} that end only by deadlock",
            self.programs,
            self.states as u64 / self.programs.max(1),
            self.largest,
            self.several_outputs,
            self.only_deadlock,
        );
    }
}

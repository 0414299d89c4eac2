//! With threads renamed and without: the same targets are reached, runs are real, and no states are missing.

use std::hash::BuildHasher;
use std::path::Path;
use std::rc::Rc;

use engine_cpa::{CpaEngine, Options, Reduction};
use program::Program;
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Base, Machine, Pointer, State, ThreadLife, Value, canonical};
use testing::generate::{GenerateOptions, generate};
use testing::{Listed, files, name, number};
use verify::{SharedFacts, Statistic, Target, Verdict};

use crate::counts::{for_each_state, without_results};
use crate::support;
use crate::tally::Tally;
use crate::{Engine, MOST_KEPT, MOST_STATES, TARGETS, check, check_files, options};

const FOLDER: &str = "crates/engine-cpa/tests/agreement/symmetric";

/// A random program whose threads run one function, often with one argument, and are not always joined; often
/// all handles are stored in one place.
fn alike(seed: u64) -> String {
    let text = generate(seed, &GenerateOptions { threads: 4, statements: 4, ..GenerateOptions::default() });
    let is_left = |line: &&str| !(seed.is_multiple_of(2) && line.contains("pthread_join(thread["));
    let one_function = |line: &str| match line.contains("pthread_create(&thread[") {
        true => line.replace("worker1,", "worker0,").replace("worker2,", "worker0,").replace("worker3,", "worker0,"),
        false => line.to_owned(),
    };
    let one_argument = |line: String| match (line.find("(void *)(long)"), seed % 3) {
        (Some(at), 0 | 1) if line.contains("pthread_create(&thread[") => format!("{}0);", &line[..at]),
        _ => line,
    };
    let one_handle = |line: String| match (line.split_once("&thread["), seed % 4) {
        (Some((before, after)), 0 | 3) => format!("{before}&thread[0{}", &after[1..]),
        _ => line,
    };
    let lines = text.lines().filter(is_left).map(one_function).map(one_argument).map(one_handle);
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks so many programs of `alike` and of the folder.
fn on_programs<R: Send>(check: impl Fn(&str, &Program) -> Result<R, String> + Sync) -> Vec<R> {
    let mut results = testing::on_files(&files(FOLDER), |path, listed| check(&name(path), &listed.program));
    results.extend(on_random_programs(0, |seed, program| check(&format!("seed {seed}"), program)));
    results
}

fn on_random_programs<R: Send>(first: u64, check: impl Fn(u64, &Program) -> Result<R, String> + Sync) -> Vec<R> {
    let seeds: Vec<u64> = (first..first + number("HEDDLE_RANDOM_PROGRAMS", 40)).collect();
    testing::all_right(testing::for_each(&seeds, |seed| {
        let text = alike(*seed);
        let checked = testing::try_program(&text).and_then(|program| check(*seed, &program));
        checked.map_err(|problem| format!("seed {seed}: {problem}\n{text}"))
    }))
}

/// With several orders.
#[test]
fn agrees_on_programs_with_equal_threads() {
    check_files(&files(FOLDER), 3);
}

#[test]
fn agrees_on_random_programs_with_equal_threads() {
    let tallies = on_random_programs(number("HEDDLE_RANDOM_PROGRAMS_SEED", 0), |seed, program| {
        check(&format!("seed {seed}"), program, &[0, 1, -2], &[seed])
    });
    print!("{}", Tally::sum(tallies));
}

/// What the first line of a program says is found.
fn expected(path: &Path) -> Target {
    let text = std::fs::read_to_string(path).expect("it is listed");
    match text.lines().next() {
        Some("// finds: Error") => Target::Error,
        Some("// finds: Race") => Target::Race,
        Some("// finds: Deadlock") => Target::Deadlock,
        line => panic!("{}: {line:?}", name(path)),
    }
}

/// A run that has threads by wrong names would not be repeated.
#[test]
fn violations_are_found_behind_renamed_threads() {
    testing::on_files(&files(FOLDER), |path, Listed { program, .. }| {
        let (target, facts) = (expected(path), SharedFacts::default());
        for turn in 0..6 {
            for (form, sleep) in [(Engine::Plain, false), (Engine::Local, true), (Engine::Source, false)] {
                let options = Options { sleep, most_states: None, ..options(form, turn) };
                let found = support::run(&mut CpaEngine::value(options), program, &facts, target).verdict;
                let Verdict::Violated { trace, .. } = found else {
                    return Err(format!("{form:?}, turn {turn}: {found:?}"));
                };
                certify::confirm(&Machine::new(program), target, &trace)?;
            }
        }
        Ok(())
    });
}

/// Searches that see all states say the same.
#[test]
fn the_same_targets_are_reached_without_symmetry() {
    let compared: Vec<Compared> = on_programs(|_, program| {
        let facts = SharedFacts::default();
        let searches = [Reduction::None, Reduction::LocalGlobal, Reduction::Source].map(|reduction| Symmetry {
            program,
            facts: &facts,
            reduction,
        });
        searches.iter().try_fold(Compared::default(), |sum, symmetry| Ok(sum.with(symmetry.compare_all()?)))
    });
    let sum = compared.into_iter().fold(Compared::default(), Compared::with);
    println!("{sum:?}");
    assert!(sum.targets > 1000 && sum.states.0 < sum.states.1, "{sum:?}");
}

#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    targets: usize,
    reached: usize,
    /// With symmetry and without.
    states: (u64, u64),
}

impl Compared {
    fn with(self, other: Compared) -> Compared {
        Compared {
            targets: self.targets + other.targets,
            reached: self.reached + other.reached,
            states: (self.states.0 + other.states.0, self.states.1 + other.states.1),
        }
    }
}

/// Searches with renamed threads and without.
struct Symmetry<'a> {
    program: &'a Program,
    facts: &'a SharedFacts,
    reduction: Reduction,
}

impl Symmetry<'_> {
    /// Targets for which states are kept alike, by one search as long as none of them is reached.
    fn compare_all(&self) -> Result<Compared, String> {
        let (heap, others): (Vec<Target>, Vec<Target>) =
            TARGETS.into_iter().partition(|target| matches!(target, Target::Lost | Target::NotFreed));
        [heap, others].iter().try_fold(Compared::default(), |sum, targets| Ok(sum.with(self.compare(targets)?)))
    }

    fn compare(&self, targets: &[Target]) -> Result<Compared, String> {
        let ((with, fewer), (without, states)) = (self.run(targets, true), self.run(targets, false));
        if targets.len() > 1 && [with, without] != [Some(false); 2] {
            return targets.iter().try_fold(Compared::default(), |sum, target| Ok(sum.with(self.compare(&[*target])?)));
        }
        match (with, without) {
            (Some(with), Some(without)) if with != without => {
                Err(format!("{:?}, {targets:?}: {with}, without symmetry {without}", self.reduction))
            }
            (Some(reached), Some(_)) => {
                Ok(Compared { targets: targets.len(), reached: usize::from(reached), states: (fewer, states) })
            }
            _ => Ok(Compared::default()),
        }
    }

    /// Is one of the targets reached, if that is known, and the number of states.
    fn run(&self, targets: &[Target], symmetry: bool) -> (Option<bool>, u64) {
        let Symmetry { program, facts, reduction } = *self;
        let options = Options { reduction, symmetry, most_states: Some(2 * MOST_KEPT), ..Options::default() };
        let outcome = support::run_all(&mut CpaEngine::value(options), program, facts, targets);
        let reached = match outcome.verdict {
            Verdict::Holds(_) => Some(false),
            Verdict::Violated { .. } => Some(true),
            Verdict::Open(_) => None,
        };
        (reached, support::statistic(&outcome, Statistic::States))
    }
}

/// As many states as the explorer has, if those are one that differ only in names of threads, or by ended ones that are not named.
/// Fewer would be wrong; of more there are few.
#[test]
fn there_are_as_many_states_as_there_are_classes() {
    let mut compared = testing::on_files(&files("tests/programs"), |path, listed| {
        Ok(compare_classes(&listed.program)?.map(|more| (more, name(path))))
    });
    compared.extend(on_programs(|name, program| Ok(compare_classes(program)?.map(|more| (more, name.to_owned())))));
    let compared: Vec<(usize, String)> = compared.into_iter().flatten().collect();
    let more: Vec<String> =
        compared.iter().filter(|(more, _)| *more > 0).map(|(more, name)| format!("{name}: {more}")).collect();
    println!("{} programs; more states than classes: {}", compared.len(), more.join(", "));
    assert!(10 * more.len() <= compared.len(), "too often: {}", more.join("\n"));
}

/// How many more states than classes there are. `None` if not all are known.
fn compare_classes(program: &Program) -> Result<Option<usize>, String> {
    let mut classes = FxHashSet::default();
    let is_complete = for_each_state(&Machine::new(program), |state| {
        classes.insert(class(state));
    });
    if !is_complete {
        return Ok(None);
    }
    let most_states = Some(2 * MOST_STATES as u64);
    let options = Options { reduction: Reduction::None, facts: false, most_states, ..Options::default() };
    let outcome = support::run(&mut CpaEngine::value(options), program, &SharedFacts::default(), Target::Lost);
    if !matches!(outcome.verdict, Verdict::Holds(_)) {
        return Ok(None);
    }
    let (ours, theirs) = (support::statistic(&outcome, Statistic::States) as usize, classes.len());
    ours.checked_sub(theirs).map(Some).ok_or_else(|| format!("{ours} states, {theirs} classes"))
}

/// A number for all states that differ only in names of threads: the least of all orders.
fn class(state: &State) -> u64 {
    let state = without_results(state.clone());
    let mut kept: Vec<u32> = (1..state.threads.len() as u32).filter(|thread| !is_dropped(&state, *thread)).collect();
    let mut least = u64::MAX;
    permute(&mut kept, 0, &mut |order| least = least.min(FxBuildHasher.hash_one(ordered(&state, order))));
    least
}

fn permute(items: &mut [u32], from: usize, look: &mut impl FnMut(&[u32])) {
    if from >= items.len() {
        return look(items);
    }
    for i in from..items.len() {
        items.swap(from, i);
        permute(items, from + 1, look);
        items.swap(from, i);
    }
}

/// With the first thread, then these ones only.
fn ordered(state: &State, order: &[u32]) -> State {
    let mut state = state.clone();
    for (id, thread) in state.threads.iter_mut().enumerate() {
        let place = order.iter().position(|old| *old as usize == id);
        let thread = Rc::make_mut(thread);
        thread.children = 0;
        thread.path = match (id, place) {
            (0, _) => Rc::new([]),
            (_, Some(place)) => Rc::new([place as u32]),
            (_, None) => Rc::new([u32::MAX]),
        };
    }
    // What dropped threads lead to is not reached any more.
    let mut state = canonical(state);
    state.threads.truncate(1 + order.len());
    canonical(state)
}

fn is_dropped(state: &State, thread: u32) -> bool {
    let own = &state.threads[thread as usize];
    let leads_somewhere = |value: &Value| matches!(value, Value::Pointer(Pointer { base: Base::Object(_), .. }));
    own.life == ThreadLife::Finished && !leads_somewhere(&own.result) && !is_mentioned(state, thread)
}

fn is_mentioned(state: &State, thread: u32) -> bool {
    let names = |pointer: Pointer| matches!(pointer.base, Base::Thread(other) if other.0 == thread);
    let is_handle = |value: &Value| matches!(value, Value::Pointer(p) | Value::Part(p, _) if names(*p));
    let by_thread = state.threads.iter().any(|own| {
        let locals = own.frames.iter().flat_map(|frame| frame.locals.iter());
        let handlers = own.cleanup.iter().flat_map(|(routine, arg)| [routine, arg]);
        locals.chain(&own.specific).chain(handlers).chain([&own.result]).any(is_handle)
    });
    let by_lock =
        state.locks.iter().any(|(key, lock)| names(key.at) || lock.holders().any(|(holder, _)| holder.0 == thread));
    let by_object = state.objects.iter().any(|object| object.contents.pointers().any(names));
    by_thread || by_lock || by_object || state.atomic.is_some_and(|inside| inside.0 == thread)
}

//! With threads renamed and without: the same targets are reached, runs are real, and no states are missing.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::path::Path;
use std::rc::Rc;

use engine_cpa::{CpaEngine, Options, Reduction};
use program::Program;
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::generate::{GenerateOptions, generate};
use semantics::{Base, Machine, Pointer, State, ThreadLife, Value, canonical};
use verify::{SharedFacts, Target, Verdict};

use crate::counts::{for_each_state, without_results};
use crate::support::{self, files, name, number};
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

fn built(seed: u64) -> Program {
    let text = alike(seed);
    support::built(&text).unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"))
}

#[test]
fn agrees_on_programs_with_equal_threads() {
    let paths = files(FOLDER);
    // With several orders.
    check_files(paths.iter().flat_map(|path| std::iter::repeat_n(path.clone(), 3)).collect());
}

#[test]
fn agrees_on_random_programs_with_equal_threads() {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", 40), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    for seed in first..first + count {
        let found = check(&format!("seed {seed}"), &built(seed), &[0, 1, -2], seed, &mut tally);
        if !found.is_empty() {
            println!("seed {seed}: {}\n{}", found.join("\n"), alike(seed));
            wrong.push(seed);
        }
    }
    print!("{tally}");
    assert!(wrong.is_empty(), "seeds {wrong:?}");
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
    for path in files(FOLDER) {
        let (program, _) = support::read(&path).expect("listed programs are understood");
        let (target, facts) = (expected(&path), SharedFacts::default());
        for turn in 0..6 {
            for (form, sleep) in [(Engine::Plain, false), (Engine::Local, true), (Engine::Source, false)] {
                let options = Options { sleep, most_states: None, ..options(form, turn) };
                let found = support::run(&mut CpaEngine::value(options), &program, &facts, target).verdict;
                let Verdict::Violated { trace, .. } = found else {
                    panic!("{}, {form:?}, turn {turn}: {found:?}", name(&path));
                };
                let machine = Machine::new(&program);
                certify::confirm(&machine, target, &trace).expect("the engine's runs are runs");
            }
        }
    }
}

/// Searches that see all states say the same.
#[test]
fn the_same_targets_are_reached_without_symmetry() {
    let mut programs: Vec<(String, Program)> =
        (0..number("HEDDLE_RANDOM_PROGRAMS", 40)).map(|seed| (format!("seed {seed}"), built(seed))).collect();
    programs.extend(files(FOLDER).iter().map(|path| (name(path), support::read(path).expect("it is understood").0)));
    let mut compared = BTreeMap::new();
    for (name, program) in &programs {
        let facts = SharedFacts::default();
        for reduction in [Reduction::None, Reduction::LocalGlobal, Reduction::Source] {
            for target in TARGETS {
                let run = |symmetry| {
                    let options =
                        Options { reduction, symmetry, most_states: Some(2 * MOST_KEPT), ..Options::default() };
                    let outcome = support::run(&mut CpaEngine::value(options), program, &facts, target);
                    (said(&outcome.verdict), support::statistic(&outcome, "states"))
                };
                if let ((Some(with), fewer), (Some(without), states)) = (run(true), run(false)) {
                    assert_eq!(with, without, "{name}, {reduction:?}, {target:?}");
                    let (less, all) = compared.entry(format!("{reduction:?}")).or_insert((0, 0));
                    (*less, *all) = (*less + fewer, *all + states);
                }
            }
        }
    }
    println!("states with symmetry and without: {compared:?}");
}

/// Is the target reached? `None` if that is not known.
fn said(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Holds(_) => Some(false),
        Verdict::Violated { .. } => Some(true),
        Verdict::Open(_) => None,
    }
}

/// As many states as the explorer has, if those are one that differ only in names of threads, or by ended ones that nobody names.
/// Fewer would be wrong; of more there are few.
#[test]
fn there_are_as_many_states_as_there_are_classes() {
    let (mut compared, mut more, mut wrong) = (0, Vec::new(), Vec::new());
    let mut compare = |name: String, program: &Program| {
        let mut classes = FxHashSet::default();
        let is_complete = for_each_state(&Machine::new(program), |state| {
            classes.insert(class(state));
        });
        let options = Options {
            reduction: Reduction::None,
            facts: false,
            most_states: Some(2 * MOST_STATES as u64),
            ..Options::default()
        };
        let outcome = support::run(&mut CpaEngine::value(options), program, &SharedFacts::default(), Target::Lost);
        if !is_complete || !matches!(outcome.verdict, Verdict::Holds(_)) {
            return;
        }
        let (ours, theirs) = (support::statistic(&outcome, "states") as usize, classes.len());
        compared += 1;
        if ours < theirs {
            wrong.push(format!("{name}: {ours} states, {theirs} classes"));
        }
        if ours > theirs {
            more.push(format!("{name}: {ours} for {theirs}"));
        }
    };
    for path in files("tests/programs").into_iter().chain(files(FOLDER)) {
        let (program, _) = support::read(&path).expect("listed programs are understood");
        compare(name(&path), &program);
    }
    for seed in 0..number("HEDDLE_RANDOM_PROGRAMS", 40) {
        compare(format!("seed {seed}"), &built(seed));
    }
    println!("{compared} programs; more states than classes: {}", more.join(", "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(10 * more.len() <= compared, "too often: {}", more.join("\n"));
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

//! The engine against the explorer: what the explorer finds is never said to hold; what the engine finds is repeated by the
//! interpreter; what it proves passes the check. Every target that the explorer finds by itself, with every reduction.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names, `HEDDLE_TURN=1` gives files another order and partition, `HEDDLE_TURNS=18` gives
//! regressions every one, `HEDDLE_FORM=Refine` takes only forms of the engine with that in their names. With `--nocapture` a table says how often there was no verdict, and why.

mod counts;
mod coverage;
#[path = "../support/mod.rs"]
mod support;
mod symmetry;
mod tally;

use std::path::{Path, PathBuf};

use base::Budget;
use engine_cpa::{CpaEngine, Join, Options, Order, Partition, Reduction, Strategy, Track};
use program::Program;
use semantics::{Exploration, Limits, Machine, Outcome, Trace};
use testing::generate::GenerateOptions;
use testing::{Listed, files, name, number};
use verify::{Reason, SharedFacts, Target, Verdict};

use tally::Tally;

/// Of the explorer.
const MOST_STATES: usize = 10_000;
/// Of the engine; fewer if each state is compared with all others.
const MOST_KEPT: u64 = 2_500;
const MOST_COMPARED: u64 = 800;
/// With decision diagrams.
const MOST_DIAGRAMS: u64 = 60;

const TARGETS: [Target; 9] = [
    Target::Error,
    Target::Race,
    Target::Deadlock,
    Target::Overflow,
    Target::InvalidAccess,
    Target::InvalidFree,
    Target::Lost,
    Target::NotFreed,
    Target::Undefined,
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Engine {
    /// Uses no facts.
    Plain,
    Local,
    Source,
    Interval,
    /// Alone, with values, with ranges.
    Diagrams,
    /// Ranges, threads joined apart from each other.
    Modular,
    /// Keeps the numbers only that turn out to matter.
    Refine,
}

const ENGINES: [Engine; 7] =
    [Engine::Plain, Engine::Local, Engine::Source, Engine::Interval, Engine::Diagrams, Engine::Modular, Engine::Refine];

fn engine(form: Engine, turn: u64) -> CpaEngine {
    match form {
        Engine::Interval | Engine::Modular => CpaEngine::interval(options(form, turn)),
        Engine::Diagrams => {
            let forms = [CpaEngine::bdd, CpaEngine::value_and_bdd, CpaEngine::interval_and_bdd];
            forms[turn as usize % 3](options(form, turn))
        }
        _ => CpaEngine::value(options(form, turn)),
    }
}

/// Of the engine in one of its forms. Orders and partitions take turns, for they must not matter; so do reductions of ranges.
fn options(form: Engine, turn: u64) -> Options {
    let orders = [Order::Mixed, Order::Breadth, Order::Random];
    let partitions = [Partition::Hash, Partition::Places, Partition::None];
    let partition = partitions[turn as usize / 6 % 3];
    Options {
        reduction: match form {
            Engine::Plain => Reduction::None,
            Engine::Interval | Engine::Diagrams | Engine::Modular | Engine::Refine if turn % 2 == 1 => Reduction::None,
            Engine::Local => Reduction::LocalGlobal,
            Engine::Source | Engine::Interval | Engine::Diagrams | Engine::Modular | Engine::Refine => {
                Reduction::Source
            }
        },
        join: if form == Engine::Modular { Join::Threads } else { Join::Places },
        partition,
        strategy: Strategy { fewest_threads: turn / 3 % 2 == 1, order: orders[turn as usize % 3] },
        most_states: Some(match (form, partition) {
            (Engine::Diagrams, _) => MOST_DIAGRAMS,
            (_, Partition::None) => MOST_COMPARED,
            _ => MOST_KEPT,
        }),
        facts: form != Engine::Plain,
        track: if form == Engine::Refine { Track::Refine } else { Track::All },
        always: form == Engine::Refine,
        ..Options::default()
    }
}

#[test]
fn agrees_on_the_listed_programs() {
    check_files(&files("tests/programs"), 1);
}

/// What the engine once got wrong, with many orders and partitions; 18 turns are all.
#[test]
fn agrees_on_regressions() {
    check_files(&files("crates/engine-cpa/tests/agreement/programs"), number("HEDDLE_TURNS", 6));
}

/// Each is aimed at something that facts may get wrong.
#[test]
fn agrees_on_adversarial_programs() {
    check_files(&files("crates/facts/tests/agreement/programs"), 1);
}

/// Each of the files with so many orders and partitions.
fn check_files(paths: &[PathBuf], turns: u64) {
    let first = number("HEDDLE_TURN", 0);
    let position = |path: &Path| paths.iter().position(|other| other == path).expect("it is one of them") as u64;
    let tallies = testing::on_files(paths, |path, Listed { program, inputs }| {
        let turn = first + turns * position(path);
        // Seven has no factor in common with 18, so that few turns differ in all, and 18 are all there are.
        let turns: Vec<u64> = (0..turns).map(|i| turn + 7 * i).collect();
        check(&name(path), program, inputs, &turns)
    });
    Tally::sum(tallies).finish();
}

#[test]
fn agrees_on_random_programs() {
    let tallies = testing::on_random_programs(
        120,
        |_| GenerateOptions::default(),
        |seed, program| check(&format!("seed {seed}"), program, &[0, 1, -2], &[seed]),
    );
    Tally::sum(tallies).finish();
}

/// How often which verdicts were given in these turns, or what is wrong with them.
fn check(name: &str, program: &Program, inputs: &[i64], turns: &[u64]) -> Result<Tally, String> {
    let machine = Machine::new(program);
    let limits = Limits { inputs: inputs.to_vec(), states: MOST_STATES, canonical: true };
    let exploration = machine.explore(&limits);
    let facts = SharedFacts::default();
    let (mut tally, mut wrong) = (Tally::default(), Vec::new());
    tally.program(exploration.complete);
    let is_found = |target: &Target| exploration.outcomes.keys().any(|outcome| target_of(outcome) == Some(*target));
    let wanted = std::env::var("HEDDLE_FORM").unwrap_or_default();
    let forms = ENGINES.into_iter().filter(|form| format!("{form:?}").contains(&wanted));
    for (form, turn) in forms.flat_map(|form| turns.iter().map(move |turn| (form, *turn))) {
        for group in groups(form, is_found) {
            for (targets, verdict) in run(form, turn, program, &facts, &group) {
                let found = targets.iter().any(is_found);
                targets.iter().for_each(|target| tally.add(name, form, *target, found, &verdict));
                if let Err(problem) = judge(&machine, &targets, &exploration, found, &verdict) {
                    wrong.push(format!("turn {turn}, {form:?}, {targets:?}: {problem}"));
                }
            }
        }
    }
    if wrong.is_empty() { Ok(tally) } else { Err(wrong.join("\n")) }
}

/// Targets that the explorer finds are looked for one by one; the others can be excluded by one search.
fn groups(form: Engine, is_found: impl Fn(&Target) -> bool) -> Vec<Vec<Target>> {
    let is_heap = |target: &Target| matches!(target, Target::Lost | Target::NotFreed);
    // The same search as with `Plain`, for no reduction preserves these.
    let skips = |target: &Target| is_heap(target) && matches!(form, Engine::Local | Engine::Source);
    let (found, others): (Vec<Target>, Vec<Target>) =
        TARGETS.into_iter().filter(|target| !skips(target)).partition(&is_found);
    let (heap, others): (Vec<Target>, Vec<Target>) = others.into_iter().partition(is_heap);
    let alone = found.into_iter().map(|target| vec![target]);
    alone.chain([heap, others]).filter(|group| !group.is_empty()).collect()
}

/// One search for all; if that decides nothing of each, one for each.
fn run(
    form: Engine,
    turn: u64,
    program: &Program,
    facts: &SharedFacts,
    targets: &[Target],
) -> Vec<(Vec<Target>, Verdict)> {
    let search = |targets: &[Target]| {
        let verdict = support::run_all(&mut engine(form, turn), program, facts, targets).verdict;
        (targets.to_vec(), verdict)
    };
    let together = search(targets);
    match &together.1 {
        Verdict::Holds(_) | Verdict::Open(Reason::Count(_)) => vec![together],
        _ if targets.len() == 1 => vec![together],
        _ => targets.iter().map(|target| search(&[*target])).collect(),
    }
}

fn judge(
    machine: &Machine<'_>,
    targets: &[Target],
    exploration: &Exploration,
    found: bool,
    verdict: &Verdict,
) -> Result<(), String> {
    let wanted = targets.iter().copied().collect();
    match verdict {
        Verdict::Holds(_) if found => Err("said to hold, but the explorer finds it".into()),
        Verdict::Holds(proof) => {
            let checked = certify::check_within(machine.program, wanted, None, proof, &Budget::unlimited());
            let coverage = checked.map_err(|why| format!("the proof fails: {why:?}"))?;
            coverage::check(machine, exploration, &coverage)?;
            let is_unknown = |outcome: &Outcome| matches!(outcome, Outcome::Unsupported(_) | Outcome::Limit(_));
            match exploration.outcomes.keys().find(|outcome| is_unknown(outcome)) {
                Some(outcome) => Err(format!("said to hold, but runs reach {outcome:?}")),
                None => Ok(()),
            }
        }
        Verdict::Violated { target, .. } if !targets.contains(target) => Err(format!("says {target:?}")),
        Verdict::Violated { target, trace } => {
            certify::confirm(machine, *target, trace).map_err(|why| format!("the run is not confirmed: {why}"))?;
            // The explorer tries some inputs only.
            let known = found || !exploration.complete || has_choices(trace);
            if known { Ok(()) } else { Err("a run is confirmed that the explorer does not find".into()) }
        }
        Verdict::Open(_) => Ok(()),
    }
}

fn has_choices(trace: &Trace) -> bool {
    !trace.start.is_empty() || trace.steps.iter().any(|step| !step.choices.is_empty())
}

fn target_of(outcome: &Outcome) -> Option<Target> {
    match outcome {
        Outcome::Error(_) => Some(Target::Error),
        Outcome::Overflow => Some(Target::Overflow),
        Outcome::InvalidAccess => Some(Target::InvalidAccess),
        Outcome::InvalidFree => Some(Target::InvalidFree),
        Outcome::Lost => Some(Target::Lost),
        Outcome::NotFreed => Some(Target::NotFreed),
        Outcome::Deadlock => Some(Target::Deadlock),
        Outcome::Race => Some(Target::Race),
        Outcome::Undefined(_) => Some(Target::Undefined),
        Outcome::Ended(..) | Outcome::Unsupported(_) | Outcome::Limit(_) => None,
    }
}

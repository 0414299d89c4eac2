//! Programs of which most numbers do not matter: how many states, refinements and places a proof takes, where keeping all numbers
//! has no end; violations that only some numbers show. A number that changes is a change of what is found out: look why before you
//! accept it.

mod support;

use std::any::Any;
use std::fmt::Write as _;

use analyses::memory::Precision;
use analyses::{ReachedSet, Tables};
use engine_cpa::{CpaEngine, Options, Track};
use program::Program;
use semantics::Machine;
use verify::{Outcome, Proof, SharedFacts, Statistic, Target, Verdict};

use support::statistic;
use testing::{files, name, read};

const MOST_STATES: u64 = 3_000;

fn engine(track: Track) -> CpaEngine {
    CpaEngine::value(Options { track, always: true, most_states: Some(MOST_STATES), ..Options::default() })
}

fn run(program: &Program, track: Track) -> Outcome {
    support::run(&mut engine(track), program, &SharedFacts::default(), Target::Error)
}

fn program(name: &str) -> Program {
    let path = format!("{}/tests/refinement/{name}.c", env!("CARGO_MANIFEST_DIR"));
    read(path.as_ref()).unwrap_or_else(|problem| panic!("{name}: {problem}")).program
}

#[test]
fn few_numbers_suffice() {
    let head = ["all numbers", "refined", "states", "refinements", "places"];
    let mut table = format!("{:24}{:>12}{:>12}{:>8}{:>12}{:>8}\n", "", head[0], head[1], head[2], head[3], head[4]);
    for path in files("crates/engine-cpa/tests/refinement") {
        let program = read(&path).unwrap().program;
        let (all, refined) = (run(&program, Track::All), run(&program, Track::Refine));
        let [states, refinements, places] =
            [Statistic::States, Statistic::Refinements, Statistic::TrackedPlaces].map(|what| statistic(&refined, what));
        let verdicts = [&all, &refined].map(|outcome| checked(&program, &outcome.verdict));
        let [all, refined] = verdicts;
        let _ = writeln!(table, "{:24}{all:>12}{refined:>12}{states:>8}{refinements:>12}{places:>8}", name(&path));
    }
    insta::assert_snapshot!(table);
}

/// A verdict in a word, its evidence checked.
fn checked(program: &Program, verdict: &Verdict) -> &'static str {
    let targets = [Target::Error].into_iter().collect();
    match verdict {
        Verdict::Holds(proof) => {
            assert_eq!(certify::check(program, targets, None, proof), Ok(()));
            "true"
        }
        Verdict::Violated { target, trace } => {
            certify::confirm(&Machine::new(program), *target, trace).unwrap();
            "false"
        }
        Verdict::Open(_) => "open",
    }
}

/// The same states are no proof if other numbers are said to be kept.
#[test]
fn a_proof_is_checked_with_its_own_precision() {
    for name in ["counter_beside_flag", "million", "payload"] {
        let program = program(name);
        let Verdict::Holds(Proof::Reached(set)) = run(&program, Track::Refine).verdict else {
            panic!("{name}: no proof")
        };
        let proof = Proof::Reached(set.clone());
        let targets = || [Target::Error].into_iter().collect();
        assert_eq!(certify::check(&program, targets(), None, &proof), Ok(()), "{name}");
        for other in [None, Some(Precision::default())] {
            let set = (&*set as &dyn Any).downcast_ref::<ReachedSet>().expect("it is from these analyses");
            match set.tables.borrow_mut().as_mut() {
                Some((_, Tables::Memory(options, _), _)) => options.tracked = other.clone(),
                _ => panic!("{name}: other states"),
            }
            assert!(certify::check(&program, targets(), None, &proof).is_err(), "{name} with {other:?}");
        }
    }
}

/// Where the function that is called depends on a number that is not kept, the path may go on in another one.
#[test]
fn a_call_of_another_function_is_refined() {
    let program = program("table_of_functions");
    let found = support::run(&mut engine(Track::Refine), &program, &SharedFacts::default(), Target::Deadlock);
    assert!(matches!(found.verdict, Verdict::Violated { target: Target::Deadlock, .. }));
}

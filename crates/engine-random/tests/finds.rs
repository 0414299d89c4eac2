//! The engine finds what the examples hide, its runs can be repeated, and it says nothing of correct programs.

use base::Budget;
use engine_random::RandomEngine;
use semantics::{Machine, Trace};
use verify::{Engine, Property, SharedFacts, Silent, Target, Task, Verdict};

/// What a fixed number of runs finds, confirmed by replay.
fn find(example: &str, property: Property, runs: u64) -> Option<(Target, Trace)> {
    let program = testing::read(&testing::folder("examples").join(example)).expect("the example is accepted").program;
    let facts = SharedFacts::default();
    let task =
        Task { program: &program, targets: property.targets(), specification: None, facts: &facts, condition: None };
    let mut engine = RandomEngine { seed: 1, runs: Some(runs) };
    let outcome = engine.run(&task, &Budget::unlimited(), &mut Silent).expect("the engine does not fail");
    match outcome.verdict {
        Verdict::Violated { target, trace } => {
            certify::confirm(&Machine::new(&program), target, &trace).expect("the run can be repeated");
            Some((target, trace))
        }
        Verdict::Holds(_) | Verdict::Open(_) => None,
    }
}

#[test]
fn violations_of_the_examples_are_found() {
    let found = |example, property| find(example, property, 2000).map(|(target, _)| target);
    assert_eq!(found("counter_racy.c", Property::NoDataRace), Some(Target::Race));
    assert_eq!(found("counter_racy.c", Property::UnreachCall), Some(Target::Error));
    assert_eq!(found("two_locks.c", Property::NoDeadlock), Some(Target::Deadlock));
    assert_eq!(found("use_after_free.c", Property::ValidMemsafety), Some(Target::InvalidAccess));
}

#[test]
fn nothing_is_said_of_a_correct_program() {
    for property in Property::ALL {
        assert!(find("counter_locked.c", property, 300).is_none(), "{property}");
    }
}

#[test]
fn equal_seeds_find_equal_runs() {
    let run = || find("counter_racy.c", Property::UnreachCall, 2000);
    assert_eq!(run(), run());
}

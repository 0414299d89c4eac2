//! The threads analysis goes in step with the interpreter: with answers by it to queries about data, it has the same control after every
//! step of random runs, and the same threads can go on.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod compare;
mod in_place;
mod oracle;
mod run;
#[path = "../support/mod.rs"]
mod support;

use testing::generate::GenerateOptions;

use run::{Effort, Tally, check};

const FILES: Effort = Effort { runs: 30, longest: 600 };
const RANDOM: Effort = Effort { runs: 8, longest: 400 };

const FOLDERS: &[&str] =
    &["tests/programs", "examples", "crates/facts/tests/agreement/programs", "crates/analyses/tests/threads/programs"];

#[test]
fn in_step_in_the_listed_programs() {
    let tally = Tally::sum(support::in_folders(FOLDERS, |program, tally| check(program, &FILES, tally)));
    println!("{tally:?}");
    if std::env::var("HEDDLE_PROGRAM").is_err() {
        // So that the comparison means something: all that steps can do was seen.
        let missing: Vec<_> = ALL_EFFECTS.iter().filter(|effect| !tally.effects.contains(**effect)).collect();
        assert!(missing.is_empty(), "never seen: {missing:?}");
        assert!(tally.unknowns * 20 < tally.runs, "{tally:?}");
    }
}

const ALL_EFFECTS: &[&str] = &[
    "Plain",
    "Call",
    "Return",
    "Create",
    "Join",
    "Yield",
    "Pop",
    "Key",
    "Handler",
    "Destructor",
    "Finish",
    "one of several",
    "ends",
    "invalid",
    "deadlock",
];

#[test]
fn in_step_in_random_programs() {
    let large = GenerateOptions { threads: 4, statements: 9, depth: 3, features: 8 };
    let tally = Tally::sum(support::in_random(300, &large, |program, tally| check(program, &RANDOM, tally)));
    println!("{tally:?}");
    assert!(tally.unknowns * 20 < tally.runs, "{tally:?}");
}

#[test]
fn steps_in_place_are_the_steps() {
    let mut tallies = support::in_folders(FOLDERS, |program, tally| in_place::check(program, 400, tally));
    let small = GenerateOptions::default();
    tallies.extend(support::in_random(60, &small, |program, tally| in_place::check(program, 300, tally)));
    let sum = |count: fn(&in_place::Tally) -> u64| tallies.iter().map(count).sum::<u64>();
    let (in_place, steps) = (sum(|tally| tally.in_place), sum(|tally| tally.steps));
    println!("{in_place} of {steps} steps in place");
    assert!(std::env::var("HEDDLE_PROGRAM").is_ok() || in_place * 2 > steps, "{in_place} of {steps}");
}

//! A memory that keeps some numbers only goes in step with the interpreter: after every step of random runs one of the successors
//! represents the state that the interpreter is in, whichever numbers are kept.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod run;
#[path = "../support/mod.rs"]
mod support;

use testing::generate::GenerateOptions;

use run::{Tally, check};

#[test]
fn in_step_in_the_listed_programs() {
    let folders = ["tests/programs", "examples", "crates/facts/tests/agreement/programs"];
    let tally = Tally::sum(support::in_folders(&folders, |program, tally| check(program, 4, tally)));
    println!("{tally:?}");
}

#[test]
fn in_step_in_random_programs() {
    let large = GenerateOptions { threads: 3, statements: 9, depth: 3, features: 8 };
    let tally = Tally::sum(support::in_random(60, &large, |program, tally| check(program, 6, tally)));
    println!("{tally:?}");
    assert!(tally.unknowns * 2 < tally.runs, "{tally:?}");
}

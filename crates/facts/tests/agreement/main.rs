//! Facts hold in every state of every run: programs are run, with what facts speak of carried along, and each state that is reached is
//! looked up in the facts.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod ghost;
mod look;
mod runs;

use std::path::PathBuf;
use std::time::Duration;

use base::Budget;
use facts::Stop;
use facts::tables::Marks;
use program::Program;
use testing::files;
use testing::generate::GenerateOptions;

use runs::{Effort, check};

const FILES: Effort = Effort { states: 6_000, runs: 12, longest: 1_500, inputs: &[0, 1, -2, 7] };
const RANDOM: Effort = Effort { states: 1_500, runs: 6, longest: 600, inputs: &[0, 1, -2] };

#[test]
fn facts_hold_in_the_listed_programs() {
    check_files(&[files("tests/programs"), files("examples")].concat());
}

/// Each is aimed at something that facts may get wrong.
#[test]
fn facts_hold_in_adversarial_programs() {
    check_files(&files("crates/facts/tests/agreement/programs"));
}

fn check_files(paths: &[PathBuf]) {
    most_are_known(&testing::on_files(paths, |_, listed| agree(&listed.program, &FILES)));
}

#[test]
fn facts_hold_in_random_programs() {
    let large = GenerateOptions { threads: 4, statements: 9, depth: 3, features: 8 };
    let options = |seed| GenerateOptions::small_or_large(seed, &large);
    most_are_known(&testing::on_random_programs(60, options, |_, program| agree(program, &RANDOM)));
}

/// What numbers may lead to is part of what is checked.
#[test]
fn facts_that_forget_what_is_exposed_are_refused() {
    let text =
        "int x; int main(void) { unsigned long u = 0x10000; if (u == (unsigned long)&x) *(int *)u = 1; return x; }";
    let program = testing::program(text);
    let mut facts = facts::analyze(&program, &Budget::unlimited()).expect("there are facts");
    assert!(!facts.solution.exposed.is_empty() && facts::recheck(&program, &facts).is_ok());
    facts.solution.exposed = Default::default();
    assert!(facts::recheck(&program, &facts).is_err());
}

/// Agreement means something only where there are facts.
fn most_are_known(known: &[bool]) {
    let count = known.iter().filter(|known| **known).count();
    assert!(count * 10 >= known.len() * 9, "there are facts of {count} of {} programs", known.len());
}

/// Facts with a call string for each way to call a function, and facts with one for all. False if there are none.
fn agree(program: &Program, effort: &Effort) -> Result<bool, String> {
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    match facts::analyze(program, &budget) {
        Ok(facts) => check(program, &facts, effort)?,
        Err(Stop::Unsupported(_)) => return Ok(false),
        Err(stop) => return Err(format!("{stop:?}")),
    }
    let merged = Marks { merged: true, ..Marks::of(program) };
    match facts::analysis::analyze_with(program, &budget, merged) {
        Ok(facts) => check(program, &facts, effort).map(|()| true).map_err(|problem| format!("merged: {problem}")),
        Err(stop) => Err(format!("merged: {stop:?}")),
    }
}

//! Programs for tests and benchmarks, and one run of the engine.

#![allow(dead_code, reason = "not every user needs all of it")]

use std::path::Path;

use base::Budget;
use engine_cpa::CpaEngine;
use program::Program;
use verify::{Engine, Outcome, SharedFacts, Silent, Statistic, Target, Task};

/// One of the programs beside the tests, for a number `N` and perhaps with another definition.
pub fn parametrised(name: &str, n: u32, define: Option<&str>) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let defines: Vec<String> = [format!("N={n}")].into_iter().chain(define.map(str::to_owned)).collect();
    testing::read_with(&path, &defines).unwrap_or_else(|problem| panic!("{name}: {problem}")).program
}

pub fn run(engine: &mut CpaEngine, program: &Program, facts: &SharedFacts, target: Target) -> Outcome {
    run_all(engine, program, facts, &[target])
}

/// One search for several targets.
pub fn run_all(engine: &mut CpaEngine, program: &Program, facts: &SharedFacts, targets: &[Target]) -> Outcome {
    let task =
        Task { program, targets: targets.iter().copied().collect(), facts, specification: None, condition: None };
    engine.run(&task, &Budget::unlimited(), &mut Silent).expect("this engine does not fail")
}

/// A search that ended before it began has none.
pub fn statistic(outcome: &Outcome, wanted: Statistic) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count)
}

//! Programs for tests and benchmarks, and one run of the engine.

#![allow(dead_code, reason = "not every user needs all of it")]

use std::path::{Path, PathBuf};

use base::Budget;
use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use engine_cpa::CpaEngine;
use lower::build::Build;
use program::Program;
use verify::{Engine, Outcome, SharedFacts, Silent, Target, Task};

/// The C files of a folder of the repository; `HEDDLE_PROGRAM=mutex` takes only those with that in their names.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|e| e == "c") && name(path).contains(&wanted);
    let mut found: Vec<_> = entries.filter(is_wanted).collect();
    found.sort();
    found
}

pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file, with the data model and the values of inputs that its header asks for.
pub fn read(path: &Path) -> Result<(Program, Vec<i64>), String> {
    read_with(path, &[])
}

/// With definitions for the preprocessor.
pub fn read_with(path: &Path, defines: &[String]) -> Result<(Program, Vec<i64>), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let ilp32 = text.contains("// model: ilp32");
    let inputs = text.lines().find_map(|line| line.strip_prefix("// inputs: ")).unwrap_or("0 1");
    let inputs = inputs.split_whitespace().map(|word| word.parse().map_err(|_| format!("no input: {word}")));
    let options = PreprocessOptions { m32: ilp32, defines: defines.to_vec(), ..Default::default() };
    let loaded = load(path, &options).map_err(|e| e.to_string())?;
    let program = lowered(loaded, if ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 })?;
    Ok((program, inputs.collect::<Result<_, _>>()?))
}

/// One of the programs beside the tests, for a number `N` and perhaps with another definition.
pub fn parametrised(name: &str, n: u32, define: Option<&str>) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let defines: Vec<String> = [format!("N={n}")].into_iter().chain(define.map(str::to_owned)).collect();
    read_with(&path, &defines).unwrap_or_else(|problem| panic!("{name}: {problem}")).0
}

/// Text that needs no preprocessing.
pub fn built(text: &str) -> Result<Program, String> {
    lowered(Loaded { text: text.to_owned(), name: "text.c".into() }, DataModel::Lp64)
}

fn lowered(loaded: Loaded, model: DataModel) -> Result<Program, String> {
    let build = Build::new(vec![loaded]).map_err(|e| e.message)?;
    let (program, _) = build.lower(model).map_err(|f| f.diagnostic.message.clone())?;
    program::check(&program).map_err(|fault| format!("ill-formed: {fault}"))?;
    Ok(program)
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

pub fn statistic(outcome: &Outcome, wanted: &str) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count)
}

/// From the environment.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

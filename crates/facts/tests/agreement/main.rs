//! Facts hold in every state of every run: programs are run, with what facts speak of carried along, and each state that is reached is
//! looked up in the facts.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod ghost;
mod look;
mod runs;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Budget;
use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use facts::Stop;
use facts::tables::Marks;
use lower::build::Build;
use program::Program;
use semantics::generate::{GenerateOptions, generate};

use runs::{Effort, check};

const FILES: Effort = Effort { states: 6_000, runs: 12, longest: 1_500, inputs: &[0, 1, -2, 7] };
const RANDOM: Effort = Effort { states: 1_500, runs: 6, longest: 600, inputs: &[0, 1, -2] };

#[test]
fn facts_hold_in_the_listed_programs() {
    check_files(files("tests/programs").into_iter().chain(files("examples")));
}

/// Each is aimed at something that facts may get wrong.
#[test]
fn facts_hold_in_adversarial_programs() {
    check_files(files("crates/facts/tests/agreement/programs"));
}

fn check_files(paths: impl IntoIterator<Item = PathBuf>) {
    let mut failures = Vec::new();
    for path in paths {
        let begin = Instant::now();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let model = if text.contains("// model: ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = match lowered(&path, model) {
            Ok(program) => program,
            Err(problem) => {
                failures.push(format!("{name}: {problem}"));
                continue;
            }
        };
        if let Err(problem) = agree(&program, &FILES) {
            failures.push(format!("{name}: {problem}"));
        }
        if begin.elapsed() > Duration::from_secs(2) {
            println!("{name} took {} ms", begin.elapsed().as_millis());
        }
    }
    assert!(failures.is_empty(), "{} programs failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn facts_hold_in_random_programs() {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", 60), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let mut failures = Vec::new();
    for seed in first..first + count {
        // What is large is not explored to the end, but shows more at once.
        let large = GenerateOptions { threads: 4, statements: 9, depth: 3, features: 8 };
        let text = generate(seed, &if seed % 3 == 2 { large } else { GenerateOptions::default() });
        let checked = built(&text).and_then(|program| agree(&program, &RANDOM));
        if let Err(problem) = checked {
            println!("seed {seed}: {problem}\n{text}");
            failures.push(seed);
            if failures.len() > 5 {
                break;
            }
        }
    }
    assert!(failures.is_empty(), "seeds {failures:?}");
}

/// What numbers may lead to is part of what is checked.
#[test]
fn facts_that_forget_what_is_exposed_are_refused() {
    let text =
        "int x; int main(void) { unsigned long u = 0x10000; if (u == (unsigned long)&x) *(int *)u = 1; return x; }";
    let program = built(text).expect("it is a program");
    let mut facts = facts::analyze(&program, &Budget::unlimited()).expect("there are facts");
    assert!(!facts.solution.exposed.is_empty() && facts::recheck(&program, &facts).is_ok());
    facts.solution.exposed = Default::default();
    assert!(facts::recheck(&program, &facts).is_err());
}

/// Facts with a call string for each way to call a function, and facts with one for all.
fn agree(program: &Program, effort: &Effort) -> Result<(), String> {
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    match facts::analyze(program, &budget) {
        Ok(facts) => check(program, &facts, effort)?,
        Err(Stop::Unsupported(_)) => return Ok(()),
        Err(stop) => return Err(format!("{stop:?}")),
    }
    let merged = Marks { merged: true, ..Marks::of(program) };
    match facts::analysis::analyze_with(program, &budget, merged) {
        Ok(facts) => check(program, &facts, effort).map_err(|problem| format!("merged: {problem}")),
        Err(stop) => Err(format!("merged: {stop:?}")),
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with(".c") && path.to_string_lossy().contains(&wanted);
    let mut found: Vec<_> = entries.filter(is_wanted).collect();
    found.sort();
    found
}

fn lowered(path: &Path, model: DataModel) -> Result<Program, String> {
    let options = PreprocessOptions { m32: model == DataModel::Ilp32, ..Default::default() };
    lower_text(load(path, &options).map_err(|e| e.to_string())?, model)
}

fn built(text: &str) -> Result<Program, String> {
    lower_text(Loaded { text: text.to_owned(), name: "x.c".into() }, DataModel::Lp64)
}

fn lower_text(loaded: Loaded, model: DataModel) -> Result<Program, String> {
    let build = Build::new(vec![loaded]).map_err(|e| e.message)?;
    let (program, _) = build.lower(model).map_err(|f| f.diagnostic.message.clone())?;
    program::check(&program).map_err(|fault| format!("ill-formed: {fault}"))?;
    Ok(program)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

//! The threads analysis goes in step with the interpreter: asked by it what only data can tell, it has the same control after every
//! step of random runs, and the same threads can go on.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod compare;
mod in_place;
mod oracle;
mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use program::Program;
use semantics::generate::{GenerateOptions, generate};

use run::{Effort, Tally, check};

const FILES: Effort = Effort { runs: 30, longest: 600 };
const RANDOM: Effort = Effort { runs: 8, longest: 400 };

const FOLDERS: &[&str] =
    &["tests/programs", "examples", "crates/facts/tests/agreement/programs", "crates/analyses/tests/threads/programs"];

#[test]
fn in_step_in_the_listed_programs() {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for folder in FOLDERS {
        for path in files(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let checked = lowered(&path).and_then(|program| check(&program, &FILES, &mut tally));
            failures.extend(checked.err().map(|problem| format!("{name}: {problem}")));
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} programs failed:\n{}", failures.len(), failures.join("\n"));
    if std::env::var("HEDDLE_PROGRAM").is_err() {
        // So that the comparison means something: all that steps can do was seen.
        let missing: Vec<_> = ALL_EFFECTS.iter().filter(|effect| !tally.effects.contains(**effect)).collect();
        assert!(missing.is_empty(), "never seen: {missing:?}");
        assert!(tally.troubles * 20 < tally.runs, "{tally:?}");
    }
}

const ALL_EFFECTS: &[&str] = &[
    "Plain",
    "Call",
    "Return",
    "Create",
    "Join",
    "Yield",
    "Push",
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
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", 300), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for seed in first..first + count {
        let large = GenerateOptions { threads: 4, statements: 9, depth: 3, features: 8 };
        let text = generate(seed, &if seed % 3 == 2 { large } else { GenerateOptions::default() });
        let loaded = Loaded { text: text.clone(), name: "x.c".into() };
        let checked = lower_text(loaded, DataModel::Lp64).and_then(|program| check(&program, &RANDOM, &mut tally));
        if let Err(problem) = checked {
            println!("seed {seed}: {problem}\n{text}");
            failures.push(seed);
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "seeds {failures:?}");
    assert!(tally.troubles * 20 < tally.runs, "{tally:?}");
}

#[test]
fn steps_in_place_are_the_steps() {
    let mut tally = in_place::Tally::default();
    let mut failures = Vec::new();
    for path in FOLDERS.iter().flat_map(|folder| files(folder)) {
        let checked = lowered(&path).and_then(|program| in_place::check(&program, 400, &mut tally));
        failures.extend(checked.err().map(|problem| format!("{}: {problem}", path.display())));
    }
    for seed in 0..number("HEDDLE_RANDOM_PROGRAMS", 60) {
        let loaded = Loaded { text: generate(seed, &GenerateOptions::default()), name: "x.c".into() };
        let program = lower_text(loaded, DataModel::Lp64).unwrap();
        failures
            .extend(in_place::check(&program, 300, &mut tally).err().map(|problem| format!("seed {seed}: {problem}")));
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(std::env::var("HEDDLE_PROGRAM").is_ok() || tally.in_place * 2 > tally.steps, "{tally:?}");
}

fn files(folder: &str) -> BTreeSet<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with(".c") && path.to_string_lossy().contains(&wanted);
    entries.filter(is_wanted).collect()
}

fn lowered(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let model = if text.contains("// model: ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = PreprocessOptions { m32: model == DataModel::Ilp32, ..Default::default() };
    lower_text(load(path, &options).map_err(|e| e.to_string())?, model)
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

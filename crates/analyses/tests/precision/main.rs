//! A memory that keeps some numbers only goes in step with the interpreter: after every step of random runs one of the successors
//! stands for the state that the interpreter is in, whichever numbers are kept.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use program::Program;
use semantics::generate::{GenerateOptions, generate};

use run::{Tally, check};

#[test]
fn in_step_in_the_listed_programs() {
    let (mut tally, mut failures) = (Tally::default(), Vec::new());
    for folder in ["tests/programs", "examples", "crates/facts/tests/agreement/programs"] {
        for path in files(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let checked = lowered(&path).and_then(|program| check(&program, 4, &mut tally));
            failures.extend(checked.err().map(|problem| format!("{name}: {problem}")));
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} programs failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn in_step_in_random_programs() {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", 60), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let (mut tally, mut failures) = (Tally::default(), Vec::new());
    for seed in first..first + count {
        let large = GenerateOptions { threads: 3, statements: 9, depth: 3, features: 8 };
        let text = generate(seed, &if seed % 3 == 2 { large } else { GenerateOptions::default() });
        let loaded = Loaded { text: text.clone(), name: "x.c".into() };
        let checked = lower_text(loaded, DataModel::Lp64).and_then(|program| check(&program, 6, &mut tally));
        if let Err(problem) = checked {
            println!("seed {seed}: {problem}\n{text}");
            failures.push(seed);
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "seeds {failures:?}");
    assert!(tally.unknowns * 2 < tally.runs, "{tally:?}");
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

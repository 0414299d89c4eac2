//! Programs for tests that go through many: those of folders, and random ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use program::Program;
use semantics::generate::{GenerateOptions, generate};

/// What is wrong with which programs of some folders.
pub fn in_folders(folders: &[&str], mut check: impl FnMut(&Program) -> Result<(), String>) -> Vec<String> {
    let mut failures = Vec::new();
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let checked = lowered(&path).and_then(|program| check(&program));
        failures.extend(checked.err().map(|problem| format!("{name}: {problem}")));
    }
    failures
}

/// Which of so many random programs, every third of them a large one, have something wrong, which is printed.
pub fn in_random(
    count: u64,
    large: &GenerateOptions,
    mut check: impl FnMut(&Program) -> Result<(), String>,
) -> Vec<u64> {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", count), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let mut failures = Vec::new();
    for seed in first..first + count {
        let text = if seed % 3 == 2 { generate(seed, large) } else { generate(seed, &GenerateOptions::default()) };
        if let Err(problem) = lowered_text(&text).and_then(|program| check(&program)) {
            println!("seed {seed}: {problem}\n{text}");
            failures.push(seed);
        }
    }
    failures
}

fn files(folder: &str) -> BTreeSet<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with(".c") && path.to_string_lossy().contains(&wanted);
    entries.filter(is_wanted).collect()
}

pub fn lowered(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let model = if text.contains("// model: ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = PreprocessOptions { m32: model == DataModel::Ilp32, ..Default::default() };
    lower(load(path, &options).map_err(|e| e.to_string())?, model)
}

/// Without a preprocessor.
pub fn lowered_text(text: &str) -> Result<Program, String> {
    lower(Loaded { text: text.into(), name: "x.c".into() }, DataModel::Lp64)
}

fn lower(loaded: Loaded, model: DataModel) -> Result<Program, String> {
    let build = Build::new(vec![loaded]).map_err(|e| e.message)?;
    let (program, _) = build.lower(model).map_err(|f| f.diagnostic.message.clone())?;
    program::check(&program).map_err(|fault| format!("ill-formed: {fault}"))?;
    Ok(program)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

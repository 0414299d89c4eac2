//! Programs from C: a text, a file, the files of a folder.

use std::path::{Path, PathBuf};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use program::Program;

/// A text that needs no preprocessing and is accepted.
pub fn program(text: &str) -> Program {
    try_program(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
}

/// A text that needs no preprocessing.
pub fn try_program(text: &str) -> Result<Program, String> {
    lower(Loaded { text: text.to_owned(), name: "x.c".into() }, DataModel::Lp64)
}

/// The program of a loaded file, well-formed.
pub fn lower(loaded: Loaded, model: DataModel) -> Result<Program, String> {
    let build = Build::new(vec![loaded]).map_err(|e| e.message)?;
    let (program, _) = build.lower(model).map_err(|f| f.diagnostic.message.clone())?;
    program::check(&program).map_err(|fault| format!("ill-formed: {fault}"))?;
    Ok(program)
}

/// A program of a file, with the values of inputs to try.
pub struct Listed {
    pub program: Program,
    pub inputs: Vec<i64>,
}

/// A file, with the data model (`// model: ilp32`) and the inputs (`// inputs: 0 1`) that its header gives.
pub fn read(path: &Path) -> Result<Listed, String> {
    read_with(path, &[])
}

/// With definitions for the preprocessor.
pub fn read_with(path: &Path, defines: &[String]) -> Result<Listed, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let model = if text.contains("// model: ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = PreprocessOptions { m32: model == DataModel::Ilp32, defines: defines.to_vec(), ..Default::default() };
    let loaded = load(path, &options).map_err(|e| e.to_string())?;
    Ok(Listed { program: lower(loaded, model)?, inputs: inputs(&text)? })
}

fn inputs(text: &str) -> Result<Vec<i64>, String> {
    let line = text.lines().find_map(|line| line.strip_prefix("// inputs: ")).unwrap_or("0 1");
    line.split_whitespace().map(|word| word.parse().map_err(|_| format!("no input: {word}"))).collect()
}

/// A folder of the repository.
pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The C files of a folder of the repository; `HEDDLE_PROGRAM=mutex` takes only those with that in their names.
pub fn files(path: &str) -> Vec<PathBuf> {
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder(path)).expect("the folder is there");
    let is_wanted = |path: &PathBuf| path.extension().is_some_and(|e| e == "c") && name(path).contains(&wanted);
    let mut found: Vec<_> = entries.map(|entry| entry.expect("it is readable").path()).filter(is_wanted).collect();
    found.sort();
    found
}

/// Of a file, without its ending.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

//! From files to a program. The only errors are the user's, reported as one diagnostic.

use std::path::PathBuf;

use base::{Diagnostic, SourceMap};
use c_front::ast::ExternalDecl;
use c_front::preprocess::{self, Loaded, PreprocessOptions};
use c_front::typed::Unit;
use c_front::types;
use lower::build::Build;
use program::Program;

use crate::cli::{DataModel, Failure, FrontArgs, MissingName};
use crate::diagnostics;
use crate::schedule::Identity;

/// The declarations of a program, file by file, and what they point into. Needs a large stack: see [`crate::guard`].
pub fn parse(files: &[PathBuf], args: &FrontArgs) -> Result<(Vec<Vec<ExternalDecl>>, Build), Failure> {
    let mut build = build(files, args)?;
    let mut trees: Vec<Vec<ExternalDecl>> = Vec::new();
    let parsed = build.each_declaration(|declaration, _| {
        match (declaration, trees.last_mut()) {
            (Some(declaration), Some(tree)) => tree.push(declaration),
            _ => trees.push(Vec::new()),
        }
        Ok(())
    });
    match parsed {
        Ok(()) => Ok((trees, build)),
        Err(error) => Err(refused(&error, &build.sources)),
    }
}

/// Needs a large stack: see [`crate::guard`].
pub fn analyze(files: &[PathBuf], args: &FrontArgs) -> Result<(Unit, Build), Failure> {
    let mut build = build(files, args)?;
    match build.analyze(args.data_model.into()) {
        Ok(unit) => Ok((unit, build)),
        Err(error) => Err(refused(&error, &build.sources)),
    }
}

/// Needs a large stack: see [`crate::guard`].
pub fn lower(files: &[PathBuf], args: &FrontArgs) -> Result<Program, Failure> {
    lower_identified(files, args).map(|(program, _)| program)
}

/// The program, and what identifies it.
pub fn lower_identified(files: &[PathBuf], args: &FrontArgs) -> Result<(Program, Identity), Failure> {
    let loaded = load(files, args)?;
    let identity = Identity::of(&loaded, args.data_model);
    let mut build = Build::new(loaded).map_err(|error| refused(&error, &SourceMap::new()))?;
    build.missing = args.missing.into();
    let lowered = build.lower(args.data_model.into());
    let (program, warnings) = lowered.map_err(|failure| refused(&failure.diagnostic, &failure.sources))?;
    for warning in &warnings {
        anstream::eprint!("{}", diagnostics::render(warning, &program.sources));
    }
    if cfg!(debug_assertions)
        && let Err(error) = program::check(&program)
    {
        panic!("lowering made an ill-formed program: {error}");
    }
    Ok((program, identity))
}

impl From<MissingName> for lower::Missing {
    fn from(missing: MissingName) -> Self {
        match missing {
            MissingName::Writes => lower::Missing::Writes,
            MissingName::Pure => lower::Missing::Pure,
        }
    }
}

impl From<DataModel> for types::DataModel {
    fn from(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => types::DataModel::Lp64,
            DataModel::Ilp32 => types::DataModel::Ilp32,
        }
    }
}

fn build(files: &[PathBuf], args: &FrontArgs) -> Result<Build, Failure> {
    Build::new(load(files, args)?).map_err(|error| refused(&error, &SourceMap::new()))
}

/// Reads and preprocesses the files.
fn load(files: &[PathBuf], args: &FrontArgs) -> Result<Vec<Loaded>, Failure> {
    let options = PreprocessOptions {
        include_dirs: args.include.clone(),
        defines: args.define.clone(),
        cpp: args.cpp.clone(),
        m32: args.data_model == DataModel::Ilp32,
    };
    let load = |file: &PathBuf| preprocess::load(file, &options);
    let loaded: Result<Vec<Loaded>, _> = files.iter().map(load).collect();
    loaded.map_err(|error| Failure::refused(diagnostics::plain(&error.to_string())))
}

fn refused(diagnostic: &Diagnostic, sources: &SourceMap) -> Failure {
    Failure::refused(diagnostics::render(diagnostic, sources))
}

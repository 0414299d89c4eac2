//! From files to a program. The only errors are the user's, told as one diagnostic.

use std::path::PathBuf;

use base::{Diagnostic, SourceMap};
use c_front::ast::ExternalDecl;
use c_front::preprocess::{self, PreprocessOptions};
use c_front::types;
use lower::build::Build;
use program::Program;

use crate::cli::{DataModel, Failure, FrontArgs};
use crate::diagnostics;

/// Reads and preprocesses the files.
pub fn load(files: &[PathBuf], args: &FrontArgs) -> Result<Build, Failure> {
    let options = PreprocessOptions {
        include_dirs: args.include.clone(),
        defines: args.define.clone(),
        cpp: args.cpp.clone(),
        m32: args.data_model == DataModel::Ilp32,
    };
    let mut loaded = Vec::with_capacity(files.len());
    for file in files {
        let refused = |error: preprocess::LoadError| Failure::refused(diagnostics::plain(&error.to_string()));
        loaded.push(preprocess::load(file, &options).map_err(refused)?);
    }
    Build::new(loaded).map_err(|error| refused(&error, &SourceMap::new()))
}

/// The declarations of each file.
pub fn parse(build: &mut Build) -> Result<Vec<Vec<ExternalDecl>>, Failure> {
    let mut files: Vec<Vec<ExternalDecl>> = Vec::new();
    let result = build.each_declaration(|declaration, _| {
        match (declaration, files.last_mut()) {
            (Some(declaration), Some(file)) => file.push(declaration),
            _ => files.push(Vec::new()),
        }
        Ok(())
    });
    result.map_err(|error| refused(&error, &build.sources))?;
    Ok(files)
}

pub fn lower(build: Build, model: DataModel) -> Result<Program, Failure> {
    let program = build.lower(model.into()).map_err(|failure| refused(&failure.diagnostic, &failure.sources))?;
    if cfg!(debug_assertions)
        && let Err(error) = program::check(&program)
    {
        panic!("lowering made an ill-formed program: {error}");
    }
    Ok(program)
}

impl From<DataModel> for types::DataModel {
    fn from(model: DataModel) -> Self {
        match model {
            DataModel::Lp64 => types::DataModel::Lp64,
            DataModel::Ilp32 => types::DataModel::Ilp32,
        }
    }
}

fn refused(diagnostic: &Diagnostic, sources: &SourceMap) -> Failure {
    Failure::refused(diagnostics::render(diagnostic, sources))
}

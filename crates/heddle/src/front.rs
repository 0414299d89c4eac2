//! From files to a program. The only errors are the user's, told as one diagnostic.

use std::path::PathBuf;

use base::{Diagnostic, Interner, SourceMap};
use c_front::ast::ExternalDecl;
use c_front::lexer::lex;
use c_front::parser::Parser;
use c_front::preprocess::{self, Loaded, PreprocessOptions};
use c_front::typed::Unit;
use c_front::types;
use lower::build::Build;
use program::Program;

use crate::cli::{DataModel, Failure, FrontArgs};
use crate::diagnostics;

/// The files of a program, parsed and nothing more.
pub struct SyntaxTrees {
    pub files: Vec<(String, Vec<ExternalDecl>)>,
    pub sources: SourceMap,
    pub names: Interner,
}

/// Needs a large stack: see [`crate::guard`].
pub fn parse(files: &[PathBuf], args: &FrontArgs) -> Result<SyntaxTrees, Failure> {
    let mut trees = SyntaxTrees { files: Vec::new(), sources: SourceMap::new(), names: Interner::new() };
    for file in load(files, args)? {
        let name = file.name.clone();
        let declarations = parse_file(&mut trees, file).map_err(|error| refused(&error, &trees.sources))?;
        trees.files.push((name, declarations));
    }
    Ok(trees)
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
    let build = build(files, args)?;
    let program =
        build.lower(args.data_model.into()).map_err(|failure| refused(&failure.diagnostic, &failure.sources))?;
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

fn parse_file(trees: &mut SyntaxTrees, file: Loaded) -> Result<Vec<ExternalDecl>, Diagnostic> {
    let SyntaxTrees { sources, names, .. } = trees;
    let start = sources.add(&file.name, file.text).ok_or_else(|| {
        Diagnostic::error(base::Span::NONE, "the files are larger than 4 GB together").help("split the program")
    })?;
    let lexed = lex(sources.text(start), start, names);
    lexed.record_markers(sources, start, &file.name);
    let mut parser = Parser::new(sources.text(start), start, lexed);
    std::iter::from_fn(|| parser.next_external(names)).collect()
}

fn refused(diagnostic: &Diagnostic, sources: &SourceMap) -> Failure {
    Failure::refused(diagnostics::render(diagnostic, sources))
}

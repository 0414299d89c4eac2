//! From files to a program. The only errors are the user's, told as one diagnostic.

use std::path::PathBuf;

use base::{Diagnostic, Interner, SourceMap};
use c_front::ast::ExternalDecl;
use c_front::lexer::lex;
use c_front::parser::Parser;
use c_front::preprocess::{self, PreprocessOptions};

use crate::cli::{DataModel, Failure, FrontArgs};
use crate::diagnostics;

/// The texts of one program, read and preprocessed.
pub struct Input {
    pub sources: SourceMap,
    pub names: Interner,
    texts: Vec<Text>,
}

struct Text {
    name: String,
    start: u32,
}

/// A file's declarations.
pub struct SyntaxTree {
    pub file: String,
    pub declarations: Vec<ExternalDecl>,
}

pub fn load(files: &[PathBuf], args: &FrontArgs) -> Result<Input, Failure> {
    let options = PreprocessOptions {
        include_dirs: args.include.clone(),
        defines: args.define.clone(),
        cpp: args.cpp.clone(),
        m32: args.data_model == DataModel::Ilp32,
    };
    let mut input = Input { sources: SourceMap::new(), names: Interner::new(), texts: Vec::new() };
    for file in files {
        let refused = |message: &str| Failure::refused(diagnostics::plain(message));
        let loaded = preprocess::load(file, &options).map_err(|error| refused(&error.to_string()))?;
        let start = input.sources.add(&loaded.name, loaded.text);
        let start = start.ok_or_else(|| refused("the files are larger than 4 GB together; split the program"))?;
        input.texts.push(Text { name: loaded.name, start });
    }
    Ok(input)
}

/// The syntax trees of all files.
pub fn parse(input: &mut Input) -> Result<Vec<SyntaxTree>, Failure> {
    let texts = std::mem::take(&mut input.texts);
    let mut trees = Vec::with_capacity(texts.len());
    for text in &texts {
        let mut declarations = Vec::new();
        each_declaration(input, text, |declaration, _| {
            declarations.push(declaration);
            Ok(())
        })?;
        trees.push(SyntaxTree { file: text.name.clone(), declarations });
    }
    input.texts = texts;
    Ok(trees)
}

/// Hands over one declaration at a time, so that no file's tree need be held whole.
fn each_declaration(
    input: &mut Input,
    text: &Text,
    mut take: impl FnMut(ExternalDecl, &mut Interner) -> Result<(), Diagnostic>,
) -> Result<(), Failure> {
    let Input { sources, names, .. } = input;
    let lexed = lex(sources.text(text.start), text.start, names);
    lexed.record_markers(sources, text.start, &text.name);
    let refused = |diagnostic: &Diagnostic| Failure::refused(diagnostics::render(diagnostic, sources));
    let mut parser = Parser::new(sources.text(text.start), text.start, lexed);
    while let Some(declaration) = parser.next_external(names) {
        let declaration = declaration.map_err(|error| refused(&error))?;
        take(declaration, names).map_err(|error| refused(&error))?;
    }
    Ok(())
}

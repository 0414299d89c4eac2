mod limits;
mod messages;
mod syntax;

use base::{Diagnostic, Interner, SourceMap};

use super::Parser;
use crate::ast::{BlockItem, Declaration, ExternalDecl, FunctionDef, Statement};
use crate::lexer::lex;

struct Parsed {
    declarations: Vec<ExternalDecl>,
    names: Interner,
    sources: SourceMap,
    warnings: Vec<Diagnostic>,
    error: Option<Diagnostic>,
}

fn parse(text: &str) -> Parsed {
    let (mut names, mut sources) = (Interner::new(), SourceMap::new());
    let start = sources.add("a.c", text.to_owned()).unwrap();
    let lexed = lex(sources.text(start), start, &mut names);
    let mut parser = Parser::new(sources.text(start), start, lexed);
    let (mut declarations, mut error) = (Vec::new(), None);
    while let Some(result) = parser.next_external(&mut names) {
        match result {
            Ok(declaration) => declarations.push(declaration),
            Err(diagnostic) => error = Some(diagnostic),
        }
    }
    let warnings = parser.take_warnings();
    Parsed { declarations, names, sources, warnings, error }
}

fn accepted(text: &str) -> Parsed {
    let parsed = parse(text);
    assert_eq!(parsed.error, None, "{text:.80}");
    parsed
}

fn refused(text: &str) -> Diagnostic {
    parse(text).error.unwrap_or_else(|| panic!("accepted: {:.80}", text))
}

impl Parsed {
    /// The text dump without positions and indentation.
    fn nodes(&self) -> Vec<String> {
        let mut out = Vec::new();
        for declaration in &self.declarations {
            crate::ast_print::print(declaration, &self.names, &self.sources, &mut out).unwrap();
        }
        let text = String::from_utf8(out).unwrap();
        text.lines().map(|line| line.trim_start().split_once(' ').unwrap().1.to_owned()).collect()
    }

    fn declaration(&self, index: usize) -> &Declaration {
        match &self.declarations[index] {
            ExternalDecl::Declaration(declaration) => declaration,
            other => panic!("not a declaration: {other:?}"),
        }
    }

    fn function(&self, index: usize) -> &FunctionDef {
        match &self.declarations[index] {
            ExternalDecl::Function(function) => function,
            other => panic!("not a function: {other:?}"),
        }
    }
}

fn statements(function: &FunctionDef) -> Vec<&Statement> {
    let mut statements = Vec::new();
    for item in &function.body {
        if let BlockItem::Statement(statement) = item {
            statements.push(statement);
        }
    }
    statements
}

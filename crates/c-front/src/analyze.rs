//! From loaded texts to one typed program.

use base::{Diagnostic, Interner, SourceMap, Span};

use crate::ast::ExternalDecl;
use crate::lexer::lex;
use crate::parser::Parser;
use crate::preprocess::Loaded;
use crate::sema::Analyzer;
use crate::typed::Unit;
use crate::types::DataModel;

/// Lexes, parses and analyses the files of one program. Gives the program and warnings, or what is wrong with it.
///
/// Needs a stack that bears trees of depth [`crate::parser::MAX_NESTING`].
pub fn analyze(
    files: Vec<Loaded>,
    data_model: DataModel,
    sources: &mut SourceMap,
    names: &mut Interner,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut analyzer = Analyzer::new(data_model, names);
    let mut warnings = Vec::new();
    for file in files {
        analyzer.begin_file();
        analyze_file(file, &mut analyzer, &mut warnings, sources, names).map_err(|error| {
            let mut all = std::mem::take(&mut warnings);
            all.push(error);
            all
        })?;
    }
    match analyzer.finish() {
        Ok(unit) => Ok((unit, warnings)),
        Err(error) => Err(vec![error]),
    }
}

fn analyze_file(
    file: Loaded,
    analyzer: &mut Analyzer,
    warnings: &mut Vec<Diagnostic>,
    sources: &mut SourceMap,
    names: &mut Interner,
) -> Result<(), Diagnostic> {
    let Some(start) = sources.add(&file.name, file.text) else {
        return Err(Diagnostic::error(Span::NONE, "the program is larger than 4 GB"));
    };
    let more = each_external(&file.name, start, sources, names, |external, names| analyzer.external(&external, names))?;
    warnings.extend(more);
    Ok(())
}

/// Lexes and parses the text at `start`, and hands over its declarations one at a time. Gives warnings.
pub fn each_external(
    name: &str,
    start: u32,
    sources: &mut SourceMap,
    names: &mut Interner,
    mut take: impl FnMut(ExternalDecl, &mut Interner) -> Result<(), Diagnostic>,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let lexed = lex(sources.text(start), start, names);
    lexed.record_markers(sources, start, name);
    let mut parser = Parser::new(sources.text(start), start, lexed);
    while let Some(external) = parser.next_external(names) {
        take(external?, names)?;
    }
    Ok(parser.take_warnings())
}

//! Specification automata: from files, or built in, to automata of a program.

use std::path::{Path, PathBuf};

use base::{Diagnostic, SourceMap};
use lower::library::{self, Kind};
use program::Program;
use spec::{Automaton, AutomatonTree, BUILT_IN};
use verify::Property;

use crate::cli::Failure;
use crate::{diagnostics, files};

/// What a file says, before the program is known.
pub struct Written {
    file: String,
    sources: SourceMap,
    automata: Vec<AutomatonTree>,
}

/// An automaton, and the file that it is from.
pub struct Specification {
    pub file: String,
    pub automaton: Automaton,
}

pub fn read(paths: &[PathBuf]) -> Result<Vec<Written>, Failure> {
    let mut written: Vec<Written> = Vec::new();
    for path in paths {
        let file = path.display().to_string();
        let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
            Some((_, text)) => (*text).to_owned(),
            None => text_of(path)?,
        };
        let mut sources = SourceMap::new();
        let too_large = || Failure::refused(diagnostics::plain(&format!("{file} is too large")));
        let start = sources.add(&file, text).ok_or_else(too_large)?;
        let automata = spec::parse(sources.text(start), start).map_err(|error| refused(&error, &sources))?;
        for automaton in &automata {
            let name = &automaton.name.text;
            let taken = written.iter().flat_map(|other| &other.automata).any(|other| other.name.text == *name);
            if taken || Property::from_name(name).is_some() {
                let error = Diagnostic::error(automaton.name.span, format!("there are two things called ‘{name}’"));
                return Err(refused(&error.help("verdicts would be told apart by name: choose another"), &sources));
            }
        }
        written.push(Written { file, sources, automata });
    }
    Ok(written)
}

fn text_of(path: &Path) -> Result<String, Failure> {
    if !path.exists() {
        let names: Vec<_> = BUILT_IN.iter().map(|(name, _)| *name).collect();
        let message = format!(
            "{} is neither a file nor built in (there is {}); how one is written: heddle explain specifications",
            path.display(),
            names.join(", ")
        );
        return Err(Failure::refused(diagnostics::plain(&message)));
    }
    files::read(path)
}

pub fn resolve(written: &[Written], program: &Program) -> Result<Vec<Specification>, Failure> {
    let mut specifications = Vec::new();
    for Written { file, sources, automata } in written {
        for tree in automata {
            let automaton = spec::resolve(tree, program, &leaves_no_trace).map_err(|error| refused(&error, sources))?;
            specifications.push(Specification { file: file.clone(), automaton });
        }
    }
    Ok(specifications)
}

/// The model of the function has no edge that a specification knows.
fn leaves_no_trace(name: &str) -> bool {
    match library::model(name).map(|model| model.kind) {
        Some(Kind::Primitive(_) | Kind::Constant(_)) => true,
        Some(Kind::Alias(of, _)) => leaves_no_trace(of),
        Some(Kind::Text | Kind::Input | Kind::Arbitrary) | None => false,
    }
}

fn refused(error: &Diagnostic, sources: &SourceMap) -> Failure {
    Failure::refused(diagnostics::render(error, sources))
}

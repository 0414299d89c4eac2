//! `heddle dump`: what each stage makes of a program.

use std::io::{self, Write};

use base::Budget;
use c_front::ast::ExternalDecl;
use c_front::{ast_print, typed_print};
use facts::Stop;
use lower::build::Build;
use program::Program;
use program::print::{self, Extent};

use crate::cli::{DumpArgs, Failure, Stage};
use crate::diagnostics;
use crate::files::SourceLines;
use crate::front;

/// Errors of the program are found before anything is written; the inner result is about writing.
pub fn dump(args: &DumpArgs, out: &mut dyn Write) -> Result<io::Result<()>, Failure> {
    if args.stage != Stage::Cfa && (args.dot || args.function.is_some()) {
        return Err(Failure::usage("--dot and --function are for `dump cfa` only"));
    }
    if args.stage != Stage::Facts && args.listing {
        return Err(Failure::usage("--listing is for `dump facts` only"));
    }
    match args.stage {
        Stage::Ast => {
            let (trees, build) = front::parse(&args.files, &args.front)?;
            Ok(syntax(&trees, &build, out))
        }
        Stage::Typed => {
            let (unit, build) = front::analyze(&args.files, &args.front)?;
            Ok(out.write_all(typed_print::print_unit(&unit, &build.names).as_bytes()))
        }
        Stage::Cfa => {
            let program = front::lower(&args.files, &args.front)?;
            let extent = extent(&program, args.function.as_deref())?;
            Ok(match args.dot {
                true => write!(out, "{}", print::dot(&program, extent)),
                false => write!(out, "{}", print::text(&program, extent)),
            })
        }
        Stage::Facts => {
            let program = front::lower(&args.files, &args.front)?;
            Ok(out.write_all(facts(&program, args.listing)?.as_bytes()))
        }
    }
}

fn facts(program: &Program, listing: bool) -> Result<String, Failure> {
    let facts = facts::analyze(program, &Budget::unlimited()).map_err(|stop| {
        let why = match stop {
            Stop::Limit(limit) => format!("a limit is reached: {limit:?}"),
            Stop::Unsupported(construct) => format!("not understood: {construct}"),
        };
        Failure::refused(diagnostics::plain(&format!("there are no facts about this program: {why}")))
    })?;
    let lines = SourceLines::default();
    Ok(match listing {
        true => out::listing(program, &out::notes(program, &facts), &|file, line| lines.line(file, line)),
        false => out::facts_text(program, &facts),
    })
}

fn syntax(trees: &[Vec<ExternalDecl>], build: &Build, out: &mut dyn Write) -> io::Result<()> {
    for (file, declarations) in build.files().zip(trees) {
        writeln!(out, "{file}")?;
        for declaration in declarations {
            ast_print::print(declaration, &build.names, &build.sources, out)?;
        }
    }
    Ok(())
}

fn extent(program: &Program, function: Option<&str>) -> Result<Extent, Failure> {
    let Some(wanted) = function else { return Ok(Extent::Program) };
    let mut functions = program.functions.iter_enumerated();
    match functions.find(|(_, function)| *function.name == *wanted) {
        Some((id, _)) => Ok(Extent::Function(id)),
        None => Err(Failure::usage(&format!("no function ‘{wanted}’ can run in this program"))),
    }
}

//! `heddle dump`: what each stage of the front end makes of a program.

use std::io::{self, Write};

use c_front::ast_print;

use crate::cli::{DumpArgs, Failure, Stage};
use crate::front::{self, Input, SyntaxTree};

/// Errors of the program are found before anything is written; the inner result is about writing.
pub fn dump(args: &DumpArgs, out: &mut dyn Write) -> Result<io::Result<()>, Failure> {
    let mut input = front::load(&args.files, &args.front)?;
    match args.stage {
        Stage::Ast => {
            let trees = front::parse(&mut input)?;
            Ok(syntax(&input, &trees, out))
        }
    }
}

fn syntax(input: &Input, trees: &[SyntaxTree], out: &mut dyn Write) -> io::Result<()> {
    for tree in trees {
        writeln!(out, "{}", tree.file)?;
        for declaration in &tree.declarations {
            ast_print::print(declaration, &input.names, &input.sources, out)?;
        }
    }
    Ok(())
}

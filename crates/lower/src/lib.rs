//! Typed syntax tree to control-flow automata: pure expressions, explicit temporaries, one access to possibly shared memory per
//! edge. Library functions come from one table of models; what is assumed of the program goes into the ledger.

mod assembly;
mod atomic;
pub mod build;
mod builtin;
mod call;
mod expr;
mod fold;
mod function;
mod init;
pub mod library;
mod missing;
mod place;
mod scan;
mod statement;
mod types;
mod unit;

use base::{Diagnostic, Interner, SourceMap, Span};
use c_front::typed::{self, RemarkKind};
use program::{AssumptionKind, Direction, Program};

pub use crate::missing::Missing;
use crate::unit::UnitLowerer;

/// Why a program was refused, with the texts that the diagnostic points into.
pub struct Failure {
    pub diagnostic: Diagnostic,
    pub sources: SourceMap,
}

/// Lowers what can run, starting from `main`.
pub fn lower(
    unit: &typed::Unit,
    names: &Interner,
    sources: SourceMap,
    missing: Missing,
) -> Result<Program, Box<Failure>> {
    let Some(main) = find_main(unit, names) else {
        let diagnostic = Diagnostic::error(Span::NONE, "the program has no function ‘main’")
            .help("give the file that defines main; several files are taken as one program");
        return Err(Box::new(Failure { diagnostic, sources }));
    };
    let mut lowerer = UnitLowerer::new(unit, names, &sources, missing);
    enter_remarks(unit, names, &mut lowerer.ledger);
    let (entry, main) = lowerer.run(main);
    let machine = lowerer.types.machine();
    let parts = lowerer.finish();
    Ok(Program {
        machine,
        types: parts.types,
        globals: parts.globals,
        functions: parts.functions,
        entry,
        main,
        ledger: parts.ledger,
        sources,
    })
}

fn find_main(unit: &typed::Unit, names: &Interner) -> Option<typed::FunctionId> {
    let main = names.lookup("main")?;
    let mut functions = unit.functions.iter_enumerated();
    functions.find(|(_, f)| f.name == main && f.body.is_some()).map(|(id, _)| id)
}

fn enter_remarks(unit: &typed::Unit, names: &Interner, ledger: &mut program::Ledger) {
    for remark in &unit.remarks {
        let (kind, direction, subject, text) = match &remark.kind {
            RemarkKind::FileAssembly => {
                (AssumptionKind::Assembly, Direction::Under, "asm at file scope", "has no effect on the program")
            }
            RemarkKind::WeakOrder => (
                AssumptionKind::Construct,
                Direction::Convention,
                "memory orders",
                "weaker ones act as memory_order_seq_cst",
            ),
            RemarkKind::ImplicitDeclaration(name) => (
                AssumptionKind::ImplicitDeclaration,
                Direction::Convention,
                names.resolve(*name),
                "is called without a declaration: taken to return int, or its real type if it is a library function",
            ),
            RemarkKind::Attribute(name) => {
                (AssumptionKind::Construct, Direction::Convention, names.resolve(*name), "attribute is not modelled")
            }
        };
        ledger.assume(kind, direction, subject, text, remark.span);
    }
}

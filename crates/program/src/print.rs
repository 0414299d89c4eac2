//! Programs as text, for people and for snapshot tests, and as graphs for Graphviz.
//!
//! One edge per line. Operators carry a suffix where signedness or kind matters: `+s` is signed addition (overflow is an
//! event), `<u` unsigned order, `+f` floating addition; on pointers, which no other operator takes, there is none.
//! Locals go by their C names, `x#2` being the second `x`; temporaries are `t1`, `t2`, …; `&x` is an address.

mod dot;
mod expr;
mod names;
mod object;
mod op;

use std::fmt;

use base::Span;

use crate::{Direction, Edge, Function, FunctionId, Ledger, LocalId, LocalKind, Location, Program, Storage};

pub use dot::Dot;
use names::{LocalNames, Names};

/// The whole program, or one function of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Program,
    Function(FunctionId),
}

/// Displays as text.
pub struct Text<'p> {
    program: &'p Program,
    extent: Extent,
}

pub fn text(program: &Program, extent: Extent) -> Text<'_> {
    Text { program, extent }
}

/// Displays as a graph, one cluster per function.
pub fn dot(program: &Program, extent: Extent) -> Dot<'_> {
    Dot::new(program, extent)
}

impl Extent {
    fn functions(self, program: &Program) -> impl Iterator<Item = FunctionId> {
        program.functions.ids().filter(move |id| self == Extent::Program || self == Extent::Function(*id))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::of(self.program);
        if self.extent == Extent::Program {
            let Program { machine, entry, main, .. } = self.program;
            writeln!(
                f,
                "program: {}-bit pointers, entry {}, main {}",
                machine.pointer_bits,
                names.function(*entry),
                names.function(*main)
            )?;
            object::records(f, self.program)?;
            object::globals(f, self.program, &names)?;
        }
        for id in self.extent.functions(self.program) {
            let function = &self.program.functions[id];
            FunctionText::new(self.program, &names, id, function).write(f)?;
        }
        if self.extent == Extent::Program {
            ledger(f, self.program, &self.program.ledger)?;
        }
        Ok(())
    }
}

/// What printing one function needs.
struct FunctionText<'a> {
    program: &'a Program,
    names: &'a Names,
    locals: LocalNames,
    id: FunctionId,
    function: &'a Function,
}

impl<'a> FunctionText<'a> {
    fn new(program: &'a Program, names: &'a Names, id: FunctionId, function: &'a Function) -> Self {
        FunctionText { program, names, locals: LocalNames::of(function, names), id, function }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}", self.header())?;
        for (id, local) in self.function.locals.iter_enumerated() {
            let in_header = local.kind == LocalKind::Param || Some(id) == self.function.result;
            if !in_header || local.storage == Storage::Memory {
                writeln!(f, "  {}", self.local(id))?;
            }
        }
        writeln!(f, "  start {}", self.function.entry)?;
        for edge in self.function.edges.iter() {
            let step = format!("{} -> {}", self.mark(edge.from), edge.to);
            let line = format!("  {step:<12}  {}", self.op(&edge.op));
            match self.place(edge) {
                Some(place) => writeln!(f, "{line:<64}  // {place}")?,
                None => writeln!(f, "{line}")?,
            }
        }
        Ok(())
    }

    /// `int f(int x, char *y) -> result`
    fn header(&self) -> String {
        let params: Vec<_> = self.function.params.iter().map(|p| self.typed(*p)).collect();
        let result = self.function.result.map_or(String::new(), |r| format!(" -> {}", self.typed(r)));
        let made_up = if self.function.defined { "" } else { "   // no body in the program" };
        format!("function {}({}){result}{made_up}", self.names.function(self.id), params.join(", "))
    }

    fn local(&self, id: LocalId) -> String {
        let local = &self.function.locals[id];
        let storage = match (local.storage, local.kind) {
            (Storage::Memory, _) => "memory",
            (Storage::Plain(_), LocalKind::Temporary) => "temporary",
            (Storage::Plain(_), _) => "plain",
        };
        format!("{storage} {}", self.typed(id))
    }

    /// `x: int`, and how the value is kept where the C type does not say.
    fn typed(&self, id: LocalId) -> String {
        let local = &self.function.locals[id];
        let ty = object::type_name(&self.program.types, local.ty);
        match local.storage {
            Storage::Plain(scalar) if self.program.types.scalar(local.ty) != Some(scalar) => {
                format!("{}: {ty} as {}", &self.locals[id], expr::scalar(scalar))
            }
            _ => format!("{}: {ty}", &self.locals[id]),
        }
    }

    /// Loop heads carry a star.
    fn mark(&self, location: Location) -> String {
        format!("{location}{}", if self.function.is_loop_head(location) { "*" } else { "" })
    }

    fn place(&self, edge: &Edge) -> Option<String> {
        place(self.program, edge.span)
    }
}

fn place(program: &Program, span: Span) -> Option<String> {
    let place = program.sources.place(span)?;
    Some(format!("{}:{}:{}", place.file, place.line, place.column))
}

fn ledger(f: &mut fmt::Formatter<'_>, program: &Program, ledger: &Ledger) -> fmt::Result {
    if ledger.entries().is_empty() {
        return Ok(());
    }
    writeln!(f, "\nledger")?;
    for entry in ledger.entries() {
        let direction = match entry.direction {
            Direction::Over => "over",
            Direction::Under => "under",
            Direction::Convention => "convention",
        };
        let line = format!("  {direction:<10}  {}: {}", entry.subject, entry.text);
        let times = if entry.count == 1 { String::new() } else { format!(", {} places", entry.count) };
        match place(program, entry.span) {
            Some(place) => writeln!(f, "{line}  // {place}{times}")?,
            None => writeln!(f, "{line}{}", if times.is_empty() { times } else { format!("  // {}", &times[2..]) })?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! Formulas over the variables of a program, as conditions and proofs hold them: terms in an arena of their own, and what each symbol
//! denotes.

use std::collections::BTreeMap;
use std::fmt;

use base::{Idx, index_type};
use logic::{Sort, SymbolId, Term, Terms};
use program::{FunctionId, GlobalId, LocalId, Location, Program, Storage};
use semantics::ThreadId;

index_type! {
    /// A variable that a proof adds to the program.
    pub struct AuxiliaryId = "aux";
}

/// What a symbol denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Variable {
    /// Bytes of a global from an offset on, little endian, as many as the symbol's sort takes.
    Global {
        global: GlobalId,
        offset: u64,
    },
    /// A plain local of a frame, the thread's first frame being 0. Of the thread whose location the formula belongs to, if none is
    /// named.
    Local {
        thread: Option<ThreadId>,
        frame: u32,
        function: FunctionId,
        local: LocalId,
    },
    Auxiliary(AuxiliaryId),
}

/// Where one thread is: in its frames, the first one first. Empty if it has ended.
pub type Stack = Vec<(FunctionId, Location)>;

/// Where all threads are, in order of creation.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord, Default)]
pub struct LocationVector(pub Vec<Stack>);

#[derive(Clone, Debug, Default)]
pub struct Formulas {
    pub terms: Terms,
    variables: BTreeMap<SymbolId, Variable>,
}

impl Formulas {
    /// The variable as a term. Panics if it was used with another sort.
    pub fn variable(&mut self, variable: Variable, sort: Sort) -> Term {
        let symbol = self.terms.symbol(&variable.to_string(), sort);
        self.variables.insert(symbol, variable);
        self.terms.variable(symbol)
    }

    pub fn meaning(&self, symbol: SymbolId) -> Option<Variable> {
        self.variables.get(&symbol).copied()
    }

    /// Is the term one of this arena and of that sort, over variables that the program has?
    pub fn check(&self, program: &Program, term: Term, sort: Sort) -> Result<(), String> {
        if !self.terms.contains(term) {
            return Err(format!("there is no term {term}"));
        }
        if self.terms.sort(term) != sort {
            return Err(format!("{} is a {}, not a {sort}", self.terms.print(term), self.terms.sort(term)));
        }
        self.terms.symbols_of(&[term]).try_for_each(|symbol| self.check_symbol(program, symbol))
    }

    fn check_symbol(&self, program: &Program, symbol: SymbolId) -> Result<(), String> {
        let described = self.terms.describe(symbol);
        let (name, sort) = (&described.name, described.sort);
        let fits = match (self.meaning(symbol), sort) {
            (None, _) => return Err(format!("what {name} denotes is not known")),
            (Some(Variable::Auxiliary(_)), _) => true,
            (Some(Variable::Global { global, offset }), Sort::Bits(width)) => {
                let bytes = u64::from(width).div_ceil(8);
                let size = program.globals.get(global).map(|global| global.size);
                size.is_some_and(|size| offset.checked_add(bytes).is_some_and(|end| end <= size))
            }
            (Some(Variable::Local { function, local, .. }), Sort::Bits(width)) => {
                let local = program.functions.get(function).and_then(|function| function.locals.get(local));
                let storage = local.map(|local| local.storage);
                matches!(storage, Some(Storage::Plain(ty)) if ty.bits() == u32::from(width))
            }
            (Some(_), _) => false,
        };
        if fits { Ok(()) } else { Err(format!("the program has no variable {name} of sort {sort}")) }
    }
}

impl LocationVector {
    /// Are all of them locations of the program?
    pub fn check(&self, program: &Program) -> Result<(), String> {
        self.0.iter().flatten().try_for_each(|(function, location)| check_location(program, *function, *location))
    }

    /// Where a thread's newest frame is.
    pub fn top(&self, thread: ThreadId) -> Option<(FunctionId, Location)> {
        self.0.get(thread.index())?.last().copied()
    }
}

pub(crate) fn check_location(program: &Program, function: FunctionId, location: Location) -> Result<(), String> {
    let is_there = program.functions.get(function).is_some_and(|f| location.index() < f.locations().len());
    if is_there { Ok(()) } else { Err(format!("the program has no location {function} {location}")) }
}

/// Also the name of the symbol.
impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable::Global { global, offset } => write!(f, "{global}.{offset}"),
            Variable::Local { thread: Some(thread), frame, function, local } => {
                write!(f, "{thread}.{frame}.{function}.{local}")
            }
            Variable::Local { thread: None, frame, function, local } => write!(f, "own.{frame}.{function}.{local}"),
            Variable::Auxiliary(id) => write!(f, "{id}"),
        }
    }
}

impl fmt::Display for LocationVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (thread, stack) in self.0.iter().enumerate() {
            let frames: Vec<String> = stack.iter().map(|(function, at)| format!("{function} {at}")).collect();
            let separator = if thread == 0 { "" } else { ", " };
            let text = if frames.is_empty() { "ended".to_owned() } else { frames.join(" / ") };
            write!(f, "{separator}T{thread} {text}")?;
        }
        Ok(())
    }
}

//! The coverage of a proof: functions, thread creations and operations of the kind that is checked, as far as the proof has runs
//! that reach them. A proof whose runs reach no operation that could violate the property is vacuous.

mod errors;
mod kind;
mod mentioned;

use base::{Idx, Span};
use program::{EdgeId, FunctionId, Location, Op, Program, ThreadOp};
use rustc_hash::FxHashSet;
use spec::Automaton;

use crate::Targets;
use kind::Kind;

/// Where runs come to, noted while a proof is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visited {
    /// For each function and location: a thread may be there.
    locations: Vec<Box<[bool]>>,
    /// Edges that create a thread.
    created: FxHashSet<(FunctionId, EdgeId)>,
}

impl Visited {
    pub fn new(program: &Program) -> Visited {
        let locations = program.functions.iter().map(|function| vec![false; function.locations().len()].into());
        Visited { locations: locations.collect(), created: FxHashSet::default() }
    }

    pub fn visit(&mut self, function: FunctionId, location: Location) {
        self.locations[function.index()][location.index()] = true;
    }

    pub fn create(&mut self, function: FunctionId, edge: EdgeId) {
        self.created.insert((function, edge));
    }

    fn is_visited(&self, (function, location): (FunctionId, Location)) -> bool {
        self.locations[function.index()][location.index()]
    }
}

/// What a proof covers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Of those that the program mentions and gives a body.
    pub functions: Part,
    /// Of those that calls from the start on may lead to.
    pub creations: Part,
    /// Of the kind that is checked; `None` if that kind is not known by edges.
    pub operations: Option<Part>,
}

/// How many there are of something, and how many of them runs come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    pub words: Words,
    pub count: usize,
    /// In the order of the text.
    pub missed: Vec<Spot>,
}

/// How something is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Words {
    pub one: &'static str,
    pub several: &'static str,
    /// What a program lacks that has none.
    pub none: &'static str,
}

/// Where something is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    pub file: String,
    pub line: u32,
    pub function: String,
}

const FUNCTIONS: Words = Words { one: "function", several: "functions", none: "function" };
const CREATIONS: Words = Words { one: "thread creation", several: "thread creations", none: "thread creation" };

impl Part {
    fn new(words: Words, all: impl Iterator<Item = (bool, Spot)>) -> Part {
        let mut part = Part { words, count: 0, missed: Vec::new() };
        for (visited, spot) in all {
            part.count += 1;
            if !visited {
                part.missed.push(spot);
            }
        }
        part.missed.sort();
        part
    }

    /// If there are none: those in dead code of these functions, which are missed.
    fn or_dead(self, program: &Program, functions: &[FunctionId], is_meant: impl Fn(&Op) -> bool) -> Part {
        if self.count > 0 {
            return self;
        }
        let edges = functions.iter().flat_map(|id| program.functions[*id].dead.iter().map(move |edge| (*id, edge)));
        let meant = edges.filter(|(_, edge)| is_meant(&edge.op));
        Part::new(self.words, meant.map(|(id, edge)| (false, spot(program, id, edge.span))))
    }

    pub fn covered(&self) -> usize {
        self.count - self.missed.len()
    }
}

impl Coverage {
    pub fn of(program: &Program, targets: Targets, specification: Option<&Automaton>, visited: &Visited) -> Coverage {
        let mentioned = mentioned::functions(program);
        let spot = |function: FunctionId, span: Span| spot(program, function, span);
        let own = program.functions.iter_enumerated().filter(|(_, f)| f.is_own() && !is_of_system(program, f.span));
        let functions = own.map(|(id, f)| (visited.is_visited((id, f.entry)), spot(id, f.span)));
        let edges = || mentioned.iter().flat_map(|id| program.functions[*id].edges.iter_enumerated().map(|e| (*id, e)));
        let creations = edges().filter(|(_, (_, edge))| is_creation(&edge.op));
        let creations = creations.map(|(id, (edge, e))| (visited.created.contains(&(id, edge)), spot(id, e.span)));
        let operations = Kind::of(targets, specification).map(|kind| {
            let places = kind.places(program, &mentioned).into_iter();
            let part =
                Part::new(kind.words(), places.map(|(place, span)| (visited.is_visited(place), spot(place.0, span))));
            match kind {
                Kind::Errors => part.or_dead(program, &mentioned, |op| matches!(op, Op::Error(_))),
                _ => part,
            }
        });
        let creations = Part::new(CREATIONS, creations).or_dead(program, &mentioned, is_creation);
        Coverage { functions: Part::new(FUNCTIONS, functions), creations, operations }
    }

    /// Why the proof says nothing of what the program is about, if so.
    pub fn vacuous(&self) -> Option<String> {
        let operations = self.operations.as_ref().filter(|part| part.count > 0 && part.covered() == 0);
        let operations = operations.map(|part| format!("no {} is reached", part.words.one));
        let why: Vec<String> = operations.into_iter().chain(self.not_created()).collect();
        (!why.is_empty()).then(|| why.join(", and "))
    }

    fn not_created(&self) -> Option<String> {
        let Spot { file, line, .. } = self.creations.missed.first()?;
        Some(match self.creations.missed.len() {
            1 => format!("the thread creation at {file}:{line} is not reached"),
            count => format!("{count} thread creations are not reached, the first at {file}:{line}"),
        })
    }

    /// The program has nothing of the kind that is checked: what.
    pub fn absent(&self) -> Option<&'static str> {
        self.operations.as_ref().filter(|part| part.count == 0).map(|part| part.words.none)
    }
}

fn is_creation(op: &Op) -> bool {
    matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }))
}

fn is_of_system(program: &Program, span: Span) -> bool {
    program.sources.place(span).is_some_and(|place| place.system)
}

fn spot(program: &Program, function: FunctionId, span: Span) -> Spot {
    let place = program.sources.place(span);
    let (file, line) = place.map_or_else(Default::default, |place| (place.file.to_owned(), place.line));
    Spot { file, line, function: program.functions[function].name.to_string() }
}

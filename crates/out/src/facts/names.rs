//! Places, threads and objects in the user's words.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::{Idx, Span};
use facts::Facts;
use facts::offsets::Offsets;
use facts::tables::{AbstractObject, AbstractThread, Base, CallString, Role};
use program::{EdgeId, FunctionId, Op, Program, TypeId};
use rustc_hash::FxHashMap;

use super::path::{Pointees, element_path, path};

pub struct Names<'f> {
    pub program: &'f Program,
    pub facts: &'f Facts,
    /// Files with text of the user's own, in order.
    files: Vec<&'f str>,
    abstract_threads: Vec<String>,
    pub pointees: Pointees<'f>,
    block_types: RefCell<FxHashMap<Base, Option<TypeId>>>,
    spans: RefCell<FxHashMap<(CallString, EdgeId), (Span, Spot)>>,
    /// Objects whose plain name is also that of another one.
    ambiguous: BTreeSet<Base>,
}

/// A line of the user's. Ordered as the source is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    file: u32,
    pub line: u32,
}

const NOWHERE: Spot = Spot { file: u32::MAX, line: 0 };

impl<'f> Names<'f> {
    pub fn new(program: &'f Program, facts: &'f Facts) -> Names<'f> {
        let mut names = Names {
            program,
            facts,
            files: own_files(program),
            abstract_threads: Vec::new(),
            pointees: Pointees::new(program),
            block_types: RefCell::default(),
            spans: RefCell::default(),
            ambiguous: BTreeSet::new(),
        };
        names.abstract_threads = names.abstract_thread_names();
        names.ambiguous = names.ambiguous_objects();
        names
    }

    // Places

    pub fn is_own(&self, span: Span) -> bool {
        self.program.sources.place(span).is_some_and(|place| self.files.contains(&place.file))
    }

    /// Where an edge is in the user's text: of an edge in a model or a header, the call that leads there.
    pub fn span(&self, call_string: CallString, edge: EdgeId) -> Span {
        self.whereabouts(call_string, edge).0
    }

    fn whereabouts(&self, call_string: CallString, edge: EdgeId) -> (Span, Spot) {
        if let Some(known) = self.spans.borrow().get(&(call_string, edge)) {
            return *known;
        }
        let (own, at) = self.first_own(call_string, edge);
        let function = &self.program.functions[self.facts.tables.call_strings[own].function];
        let span = function.edges.get(at).map_or(function.span, |edge| edge.span);
        let known = (span, self.spot(span));
        self.spans.borrow_mut().insert((call_string, edge), known);
        known
    }

    /// The edge itself, or the call in the user's text that leads there.
    fn first_own(&self, mut call_string: CallString, mut edge: EdgeId) -> (CallString, EdgeId) {
        loop {
            let info = &self.facts.tables.call_strings[call_string];
            let function = &self.program.functions[info.function];
            let span = function.edges.get(edge).map_or(function.span, |edge| edge.span);
            match info.caller {
                Some(caller) if !self.is_own(span) => (call_string, edge) = caller,
                _ => return (call_string, edge),
            }
        }
    }

    pub fn spot(&self, span: Span) -> Spot {
        let Some(place) = self.program.sources.place(span) else { return NOWHERE };
        let file = self.files.iter().position(|file| *file == place.file);
        file.map_or(NOWHERE, |file| Spot { file: file as u32, line: place.line })
    }

    pub fn spot_of(&self, call_string: CallString, edge: EdgeId) -> Spot {
        self.whereabouts(call_string, edge).1
    }

    /// `line 7`, or `file.c:7` if there are several files.
    pub fn place(&self, spot: Spot) -> String {
        match self.files.get(spot.file as usize) {
            None => "the start".to_owned(),
            Some(_) if self.files.len() == 1 => format!("line {}", spot.line),
            Some(file) => format!("{file}:{}", spot.line),
        }
    }

    pub fn places(&self, spots: impl IntoIterator<Item = Spot>) -> String {
        let spots: Vec<Spot> = BTreeSet::from_iter(spots).into_iter().collect();
        match &spots[..] {
            [one] => self.place(*one),
            several if self.files.len() == 1 => {
                let shown = several.iter().take(MOST_PLACES).map(|spot| spot.line.to_string());
                let more = if several.len() > MOST_PLACES { ", …" } else { "" };
                format!("lines {}{more}", shown.collect::<Vec<_>>().join(", "))
            }
            several => {
                let shown = several.iter().take(MOST_PLACES).map(|spot| self.place(*spot));
                let more = if several.len() > MOST_PLACES { ", …" } else { "" };
                format!("{}{more}", shown.collect::<Vec<_>>().join(", "))
            }
        }
    }

    // Threads

    pub fn function(&self, function: FunctionId) -> &'f str {
        let function = if function == self.program.entry { self.program.main } else { function };
        &self.program.functions[function].name
    }

    /// `add`, or `add (line 20)` if others run that function, too.
    pub fn abstract_thread(&self, abstract_thread: AbstractThread) -> &str {
        &self.abstract_threads[abstract_thread.index()]
    }

    pub fn entry(&self, abstract_thread: AbstractThread) -> &'f str {
        self.function(self.facts.tables.abstract_threads[abstract_thread].entry)
    }

    /// Does a run get so far?
    pub fn starts(&self, abstract_thread: AbstractThread) -> bool {
        self.facts.solution.abstract_threads[abstract_thread.index()].ended.is_some()
    }

    /// Where its threads are created.
    pub fn created(&self, abstract_thread: AbstractThread) -> Option<Spot> {
        self.facts.tables.abstract_threads[abstract_thread]
            .created
            .map(|(call_string, edge)| self.spot_of(call_string, edge))
    }

    fn abstract_thread_names(&self) -> Vec<String> {
        let abstract_threads: Vec<AbstractThread> = self.facts.tables.abstract_threads.ids().collect();
        let mut names: Vec<String> =
            abstract_threads.iter().map(|abstract_thread| self.entry(*abstract_thread).to_owned()).collect();
        let several = |names: &[String]| {
            let mut count: BTreeMap<&str, u32> = BTreeMap::new();
            names.iter().for_each(|name| *count.entry(name).or_default() += 1);
            names.iter().map(|name| count[&**name] > 1).collect::<Vec<bool>>()
        };
        for (i, again) in several(&names).into_iter().enumerate() {
            if let Some(spot) = self.created(abstract_threads[i]).filter(|_| again) {
                names[i] = format!("{} ({})", names[i], self.place(spot));
            }
        }
        for (i, again) in several(&names).into_iter().enumerate() {
            if let Some((call_string, _)) =
                self.facts.tables.abstract_threads[abstract_threads[i]].created.filter(|_| again)
            {
                let callers = self.callers(call_string);
                if !callers.is_empty() {
                    names[i] = format!("{} from {})", names[i].trim_end_matches(')'), self.places(callers));
                }
            }
        }
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        for (i, again) in several(&names).into_iter().enumerate() {
            if again {
                let number = numbers.entry(names[i].clone()).or_default();
                *number += 1;
                names[i] = format!("{} #{number}", names[i]);
            }
        }
        names
    }

    /// The calls from a thread's start to a call string.
    fn callers(&self, mut call_string: CallString) -> Vec<Spot> {
        let mut spots = Vec::new();
        while let Some((caller, edge)) = self.facts.tables.call_strings[call_string].caller {
            let info = &self.facts.tables.call_strings[caller];
            if info.function != self.program.entry && self.program.functions[info.function].edges.get(edge).is_some() {
                spots.push(self.spot_of(caller, edge));
            }
            call_string = caller;
        }
        spots
    }

    // Objects

    fn ambiguous_objects(&self) -> BTreeSet<Base> {
        let mut known: BTreeMap<String, BTreeSet<Base>> = BTreeMap::new();
        let globals = self.program.globals.ids().map(|global| self.facts.tables.global(global));
        for base in self.facts.solution.shared.keys().copied().chain(globals) {
            let base = self.facts.tables.as_role(base, Role::Shared);
            if !self.facts.tables.is_string(self.program, base) {
                known.entry(self.short_object(base)).or_default().insert(base);
            }
        }
        known.into_values().filter(|bases| bases.len() > 1).flatten().collect()
    }

    /// Where an object comes from.
    pub fn origin(&self, base: Base) -> (Spot, Span) {
        let span = match self.facts.tables.abstract_object(base) {
            AbstractObject::Global(global) | AbstractObject::ThreadLocal(_, global, _) => {
                self.program.globals[global].span
            }
            AbstractObject::Local(call_string, local, _) => {
                let function = self.facts.tables.call_strings[call_string].function;
                self.program.functions[function].locals[local].span
            }
            AbstractObject::Block(call_string, edge, _) => self.span(call_string, edge),
            _ => Span::NONE,
        };
        (self.spot(span), span)
    }

    /// What stands before a path into the object, and what behind.
    pub fn plain_name(&self, base: Base) -> (String, String) {
        let function = |call_string| self.function(self.facts.tables.call_strings[call_string].function);
        match self.facts.tables.abstract_object(base) {
            AbstractObject::Function(function) => (self.function(function).to_owned(), String::new()),
            AbstractObject::Thread(abstract_thread) => {
                (format!("thread {}", self.abstract_thread(abstract_thread)), String::new())
            }
            AbstractObject::Global(global) => match &self.program.globals[global] {
                global if global.read_only => ("a string".to_owned(), String::new()),
                global => (global.name.to_string(), String::new()),
            },
            AbstractObject::ThreadLocal(abstract_thread, global, _) => (
                self.program.globals[global].name.to_string(),
                format!(" of thread {}", self.abstract_thread(abstract_thread)),
            ),
            AbstractObject::Local(call_string, local, _) => {
                let body = &self.program.functions[self.facts.tables.call_strings[call_string].function];
                let name = &body.locals[local].name;
                let name = if name.is_empty() { "a temporary" } else { name };
                (name.to_owned(), format!(" of {}", function(call_string)))
            }
            AbstractObject::Block(call_string, edge, _) => {
                (String::new(), format!("block of {}", self.place(self.spot_of(call_string, edge))))
            }
            AbstractObject::CommandLine(_) => ("argv".to_owned(), String::new()),
            AbstractObject::CommandText(_) => ("a string of argv".to_owned(), String::new()),
            AbstractObject::Indeterminate => ("memory behind an indeterminate pointer".to_owned(), String::new()),
            AbstractObject::Keys(abstract_thread) => {
                (format!("values under keys of thread {}", self.abstract_thread(abstract_thread)), String::new())
            }
            AbstractObject::Handlers(abstract_thread) => {
                (format!("clean-up handlers of thread {}", self.abstract_thread(abstract_thread)), String::new())
            }
        }
    }

    /// What distinguishes it from others of the same name.
    fn distinction(&self, base: Base) -> String {
        match self.facts.tables.abstract_object(base) {
            AbstractObject::Local(call_string, ..) | AbstractObject::Block(call_string, ..) => {
                let callers = self.callers(call_string);
                let calls =
                    if callers.is_empty() { String::new() } else { format!(", called from {}", self.places(callers)) };
                let abstract_thread = self.facts.tables.call_strings[call_string].abstract_thread;
                format!("{calls} in thread {}", self.abstract_thread(abstract_thread))
            }
            _ => format!(" ({})", self.place(self.origin(base).0)),
        }
    }

    pub fn object(&self, base: Base) -> String {
        self.with_path(base, "")
    }

    /// Not distinguished from others of the same name.
    pub fn short_object(&self, base: Base) -> String {
        let (name, suffix) = self.plain_name(base);
        name + &suffix
    }

    /// `counter`, `table[…].next`, `x.lock of main`, `length in block of line 9`.
    pub fn part(&self, base: Base, at: Offsets, size: u64) -> String {
        self.with_path(base, &self.path(base, at, size))
    }

    /// Not distinguished from that of other objects of the same name.
    pub fn short_part(&self, base: Base, at: Offsets, size: u64) -> String {
        let (name, suffix) = self.plain_name(base);
        named(&name, &self.path(base, at, size), &suffix)
    }

    fn path(&self, base: Base, at: Offsets, size: u64) -> String {
        match (self.facts.tables.abstract_object(base), self.type_of(base)) {
            // Of all its bytes none matters more.
            (AbstractObject::Block(..), _) if at.stride == 1 && size == 1 => String::new(),
            (AbstractObject::Block(..), Some(ty)) => element_path(&self.program.types, ty, at, size),
            (_, Some(ty)) => path(&self.program.types, ty, at, size).0,
            _ => at.as_constant().filter(|offset| *offset != 0).map_or_else(String::new, |at| format!("byte {at}")),
        }
    }

    /// The type at a part, if that is known.
    pub fn part_type(&self, base: Base, at: Offsets, size: u64) -> Option<TypeId> {
        path(&self.program.types, self.type_of(base)?, at, size).1
    }

    pub fn with_path(&self, base: Base, path: &str) -> String {
        let (name, mut suffix) = self.plain_name(base);
        if self.ambiguous.contains(&self.facts.tables.as_role(base, Role::Shared)) {
            suffix += &self.distinction(base);
        }
        named(&name, path, &suffix)
    }

    /// Of a block, what the pointer that first takes it is declared to lead to; as an array if there is room for several.
    pub fn type_of(&self, base: Base) -> Option<TypeId> {
        match self.facts.tables.abstract_object(base) {
            AbstractObject::Global(global) | AbstractObject::ThreadLocal(_, global, _) => {
                Some(self.program.globals[global].ty)
            }
            AbstractObject::Local(call_string, local, _) => {
                let function = self.facts.tables.call_strings[call_string].function;
                Some(self.program.functions[function].locals[local].ty)
            }
            AbstractObject::Block(call_string, edge, _) => {
                if let Some(known) = self.block_types.borrow().get(&base) {
                    return *known;
                }
                let ty = self.block_type(call_string, edge);
                self.block_types.borrow_mut().insert(base, ty);
                ty
            }
            _ => None,
        }
    }

    fn block_type(&self, call_string: CallString, edge: EdgeId) -> Option<TypeId> {
        let (call_string, edge) = self.first_own(call_string, edge);
        let function = &self.program.functions[self.facts.tables.call_strings[call_string].function];
        let to = match &function.edges.get(edge)?.op {
            Op::Allocate(allocate) => allocate.to,
            Op::Call(call) => call.to?,
            _ => return None,
        };
        super::terms::taken_as(&self.pointees, function, to)
    }

    /// In bytes, as far as the type is known.
    pub fn size(&self, base: Base) -> i64 {
        self.type_of(base).map_or(i64::MAX, |ty| self.program.types.size(ty) as i64)
    }
}

pub fn named(name: &str, path: &str, suffix: &str) -> String {
    match (name.is_empty(), path.trim_start_matches('.')) {
        (true, "") => suffix.to_owned(),
        (true, part) => format!("{part} in {suffix}"),
        _ => format!("{name}{path}{suffix}"),
    }
}

const MOST_PLACES: usize = 8;

/// Files in which functions stand that no system header brought.
fn own_files(program: &Program) -> Vec<&str> {
    let mut files = Vec::new();
    for place in program.functions.iter().filter_map(|function| program.sources.place(function.span)) {
        if !place.system && !place.file.starts_with('<') && !files.contains(&place.file) {
            files.push(place.file);
        }
    }
    files
}

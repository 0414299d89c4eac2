//! A run, usually a counterexample, as an interleaving: its steps, grouped by source line, with the values that matter.
//!
//! Steps inside the model of a library function, or in a system header, belong to the line of the user's program that called it.

mod ending;
mod note;
mod observed;

use std::collections::BTreeMap;

use base::Span;
use program::{EdgeId, Op, Program};
use semantics::{Machine, ObjectId, ReplayError, State, ThreadId, Trace};
use spec::{Automaton, Reached};
use verify::Target;

use crate::names::Names;
use observed::Observed;

/// The text of a line of one of the user's files: reading files is not for this crate.
pub type Lines<'l> = &'l dyn Fn(&str, u32) -> Option<String>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interleaving {
    /// `main`, then the function that each thread runs.
    pub threads: Vec<String>,
    pub rows: Vec<Row>,
    /// What happened, one line each.
    pub ending: Vec<String>,
}

/// Steps of one thread on one line, without a step of another thread between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub thread: usize,
    pub place: SourceLine,
    pub notes: Vec<Note>,
    /// The first step, counted from zero, and how many follow.
    pub first: usize,
    pub steps: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceLine {
    pub file: String,
    pub line: u32,
    pub text: String,
}

impl SourceLine {
    /// Where a span begins; empty if that is nowhere.
    pub fn of(program: &Program, span: Span, lines: Lines<'_>) -> SourceLine {
        let Some(place) = program.sources.place(span) else { return SourceLine::default() };
        let text = lines(place.file, place.line).unwrap_or_else(|| place.text.to_owned());
        SourceLine { file: place.file.to_owned(), line: place.line, text: text.trim().to_owned() }
    }
}

/// One action of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// `reads`, `writes`, `locks`, …; empty for a variable of the thread's own.
    pub verb: &'static str,
    pub subject: String,
    pub value: Option<String>,
    /// The memory that was touched.
    object: Option<ObjectId>,
    /// Matters to a reader who has little time.
    pub matters: bool,
}

impl Note {
    /// Memory that only one thread uses is left out of a short one; its variables are, if there is room.
    pub fn is_shown(&self) -> bool {
        self.matters || self.object.is_none()
    }

    pub fn text(&self) -> String {
        let verb = if self.verb.is_empty() { String::new() } else { format!("{} ", self.verb) };
        match &self.value {
            Some(value) if self.subject.is_empty() => format!("{verb}{value}"),
            Some(value) => format!("{verb}{} = {value}", self.subject),
            None => format!("{verb}{}", self.subject).trim_end().to_owned(),
        }
    }
}

impl Row {
    pub fn matters(&self) -> bool {
        self.notes.iter().any(|note| note.matters)
    }
}

/// Repeats a run and shows it. `target` is what it violates.
pub fn interleaving(
    machine: &Machine<'_>,
    trace: &Trace,
    target: Option<Target>,
    lines: Lines<'_>,
) -> Result<Interleaving, ReplayError> {
    record(machine, trace, lines, None, |recorder, state| {
        let last = trace.steps.last().map(|step| step.thread);
        if let Some(target) = target {
            recorder.finish(state, target, last, trace.steps.len());
        }
    })
}

/// The same of a run that leads an automaton to an error state, with the states on its path.
pub fn specification_interleaving(
    machine: &Machine<'_>,
    trace: &Trace,
    automaton: &Automaton,
    reached: &Reached,
    lines: Lines<'_>,
) -> Result<Interleaving, ReplayError> {
    record(machine, trace, lines, Some(automaton), |recorder, state| {
        recorder.meet_threads(state);
        recorder.finish_specification(state, automaton, reached, trace.steps.len());
    })
}

fn record(
    machine: &Machine<'_>,
    trace: &Trace,
    lines: Lines<'_>,
    automaton: Option<&Automaton>,
    end: impl FnOnce(&mut Recorder<'_, '_>, &State),
) -> Result<Interleaving, ReplayError> {
    let mut recorder = Recorder::new(machine, lines);
    let mut observed = automaton.map(|automaton| Observed { automaton, monitor: None });
    let replay = machine.replay_with_effects(trace, |state, i, effects| {
        recorder.after(state);
        if let Some(observed) = &mut observed {
            observed.follow(&mut recorder, state, |monitor| monitor.after(state, effects));
        }
        let (thread, edge) = (trace.steps[i].thread, trace.steps[i].edge);
        recorder.before(state, i, thread, edge);
        if let Some(observed) = &mut observed {
            observed.follow(&mut recorder, state, |monitor| monitor.before(state, thread, edge));
        }
    })?;
    if replay.last.ending.is_none() {
        recorder.after(&replay.state);
        if let Some(observed) = &mut observed {
            observed.follow(&mut recorder, &replay.state, |monitor| monitor.after(&replay.state, &replay.last));
        }
    }
    end(&mut recorder, &replay.state);
    Ok(recorder.interleaving())
}

struct Recorder<'a, 'p> {
    machine: &'a Machine<'p>,
    names: Names<'p>,
    lines: Lines<'a>,
    /// Files with text of the user's own.
    files: Vec<&'p str>,
    texts: BTreeMap<(String, u32), String>,
    /// For each thread, the span of the edge that each of its frames is at.
    at: Vec<Vec<Span>>,
    /// The step under way: its thread and its edge.
    pending: Option<(ThreadId, &'p program::Edge)>,
    /// The operation of the last step, for the ending.
    last: Option<Last>,
    interleaving: Interleaving,
}

/// What is known of the last step from before it was made.
struct Last {
    span: Span,
    /// The pointer that it goes through.
    pointer: Option<semantics::Value>,
    op: Op,
}

impl<'a, 'p> Recorder<'a, 'p> {
    fn new(machine: &'a Machine<'p>, lines: Lines<'a>) -> Self {
        let program = machine.program;
        Recorder {
            machine,
            names: Names::new(program),
            lines,
            files: own_files(program),
            texts: BTreeMap::new(),
            at: Vec::new(),
            pending: None,
            last: None,
            interleaving: Interleaving::default(),
        }
    }

    /// A step is about to be made.
    fn before(&mut self, state: &State, i: usize, thread: ThreadId, edge: EdgeId) {
        self.meet_threads(state);
        let edge = self.machine.edge(state, thread, edge);
        self.stand(state, thread, edge.span);
        let place = self.place(thread);
        self.row(thread, place, i);
        let pointer = note::pointer(self.machine, state, thread, &edge.op);
        self.last = Some(Last { span: edge.span, pointer, op: edge.op.clone() });
        self.note_before(state, thread, edge);
        self.pending = Some((thread, edge));
    }

    /// The step is made.
    fn after(&mut self, state: &State) {
        if let Some((thread, edge)) = self.pending.take() {
            self.note_after(state, thread, edge);
        }
        self.meet_threads(state);
    }

    fn meet_threads(&mut self, state: &State) {
        for thread in state.threads.iter().skip(self.interleaving.threads.len()) {
            let function = match thread.frames.first() {
                Some(frame) if frame.function != self.machine.program.entry => frame.function,
                _ => self.machine.program.main,
            };
            self.interleaving.threads.push(self.machine.function(function).name.to_string());
            self.at.push(Vec::new());
        }
    }

    /// The thread's running frame is at this span.
    fn stand(&mut self, state: &State, thread: ThreadId, span: Span) {
        let depth = state.thread(thread).frames.len();
        let at = &mut self.at[thread.0 as usize];
        at.resize(depth, Span::NONE);
        at[depth - 1] = span;
    }

    /// The innermost place of a thread that is the user's own.
    fn place(&mut self, thread: ThreadId) -> Option<SourceLine> {
        let sources = &self.machine.program.sources;
        let own = self.at[thread.0 as usize]
            .iter()
            .rev()
            .find_map(|span| sources.place(*span).filter(|place| self.files.contains(&place.file)))?;
        let (file, line) = (own.file.to_owned(), own.line);
        let lines = self.lines;
        let read = || lines(&file, line).unwrap_or_else(|| own.text.to_owned()).trim().to_owned();
        let text = self.texts.entry((file.clone(), line)).or_insert_with(read).clone();
        Some(SourceLine { file, line, text })
    }

    /// Begins a row, or goes on with the last one.
    fn row(&mut self, thread: ThreadId, place: Option<SourceLine>, step: usize) {
        let thread = thread.0 as usize;
        let place = place.unwrap_or_default();
        match self.interleaving.rows.last_mut() {
            Some(row) if row.thread == thread && (row.place == place || place.line == 0) => row.steps += 1,
            _ => self.interleaving.rows.push(Row { thread, place, notes: Vec::new(), first: step, steps: 1 }),
        }
    }

    fn interleaving(mut self) -> Interleaving {
        self.mark_shared();
        self.interleaving
    }

    /// Memory matters that several threads touch, or any if there is but one thread.
    fn mark_shared(&mut self) {
        let mut users: BTreeMap<ObjectId, Option<usize>> = BTreeMap::new();
        for row in &self.interleaving.rows {
            for object in row.notes.iter().filter_map(|note| note.object) {
                let user = users.entry(object).or_insert(Some(row.thread));
                *user = user.filter(|thread| *thread == row.thread);
            }
        }
        let alone = self.interleaving.threads.len() == 1;
        for note in self.interleaving.rows.iter_mut().flat_map(|row| &mut row.notes) {
            note.matters |= note.object.is_some_and(|object| alone || users[&object].is_none());
        }
    }
}

/// Files in which functions stand that no system header brought.
pub(crate) fn own_files(program: &Program) -> Vec<&str> {
    let mut files = Vec::new();
    for place in program.functions.iter().filter_map(|function| program.sources.place(function.span)) {
        if !place.system && !place.file.starts_with('<') && !files.contains(&place.file) {
            files.push(place.file);
        }
    }
    files
}

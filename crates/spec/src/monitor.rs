//! Monitor automata: an automaton that runs beside the interpreter, which knows everything.

use base::Idx;
use program::{EdgeId, FunctionId};
use semantics::{Contents, Effects, Machine, Next, ObjectId, Read, State, ThreadId, Value, mask};

use crate::automaton::{Automaton, Event, Moment, Piece, StateId};
use crate::configuration::{Configuration, Slot};
use crate::look::{Known, Look, Place};

/// A state of the interpreter, as a thread sees it.
pub struct Concrete<'c, 'p> {
    pub machine: &'c Machine<'p>,
    pub state: &'c State,
    pub thread: ThreadId,
    /// What the last step gave: the state forgets what is not read.
    pub given: Option<Value>,
}

impl Look for Concrete<'_, '_> {
    fn value(&self, place: Place) -> Option<Known> {
        let frames = &self.state.thread(self.thread).frames;
        match place {
            Place::Expr(expr) => frames.last().and_then(|_| known(self.machine.peek(self.state, self.thread, expr)?)),
            Place::Local(local) => match frames.last()?.locals[local.index()] {
                Value::Undefined => known(self.given?),
                value => known(value),
            },
            Place::Global { global, offset, ty, bits } => {
                let object = self.state.global_object(self.thread, global);
                let contents = self.contents(object)?;
                match bits {
                    None if contents.contains(offset as i64, ty.bytes()) => match contents.read(offset, ty.bytes()) {
                        Read::Bits(bits) => Some(Known::Number(bits & mask(ty))),
                        Read::Pointer(pointer) => Some(Known::Place(pointer)),
                        Read::Undefined | Read::Mixed => None,
                    },
                    Some((start, width)) => {
                        let length = u64::from((u32::from(start) + u32::from(width)).div_ceil(8));
                        match contents.contains(offset as i64, length).then(|| contents.read(offset, length))? {
                            Read::Bits(bits) => Some(Known::Number(bits >> start & ((1 << width) - 1))),
                            _ => None,
                        }
                    }
                    None => None,
                }
            }
        }
    }
}

impl Concrete<'_, '_> {
    fn contents(&self, object: ObjectId) -> Option<&Contents> {
        self.state.objects.get(object.index()).map(|object| &object.contents)
    }
}

fn known(value: Value) -> Option<Known> {
    match value {
        Value::Pointer(pointer) => Some(Known::Place(pointer)),
        value => value.bits().map(Known::Number),
    }
}

/// The error state that a run leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    pub state: StateId,
    /// Whose step it is.
    pub thread: ThreadId,
    pub how: How,
    pub message: Vec<Said>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// By what the last step does.
    Step,
    /// By a call that waits: the thread has called and cannot go on.
    Waits,
    /// The last step leads to a deadlock.
    Deadlock,
}

/// A part of an error's message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Text(String),
    Value(Known),
    Unknown,
}

/// Follows one run: `before` each step, `after` it. A copy follows another continuation from here.
#[derive(Clone)]
pub struct Monitor<'f, 'p> {
    machine: &'f Machine<'p>,
    automaton: &'f Automaton,
    configuration: Configuration,
    pending: Option<(ThreadId, FunctionId, EdgeId)>,
    given: Option<Value>,
    reached: Option<Reached>,
}

impl<'f, 'p> Monitor<'f, 'p> {
    /// `state` is the one before the first step.
    pub fn new(machine: &'f Machine<'p>, automaton: &'f Automaton, state: &State) -> Self {
        let configuration = automaton.start();
        let mut monitor = Monitor { machine, automaton, configuration, pending: None, given: None, reached: None };
        monitor.hear(state, Event { thread: ThreadId(0), moment: Moment::Reached }, How::Step);
        monitor.would_call(state);
        monitor
    }

    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The first error, if it is certain. On a run of the interpreter only values that are not chosen yet are not known.
    pub fn reached(&self) -> Option<&Reached> {
        self.reached.as_ref()
    }

    /// A thread is about to take an edge.
    pub fn before(&mut self, state: &State, thread: ThreadId, edge: EdgeId) {
        let function = state.frame(thread).function;
        self.pending = Some((thread, function, edge));
        self.hear(state, Event { thread, moment: Moment::Before(function, edge) }, How::Step);
    }

    /// The step is made and led to `state`. If the run does not go on there, there is nothing to see.
    pub fn after(&mut self, state: &State, effects: &Effects) {
        let Some((thread, function, edge)) = self.pending.take() else { return };
        if effects.ending.is_some() {
            return;
        }
        self.given = effects.given;
        let returned = Moment::After(function, edge);
        if state.thread(thread).frames.last().is_some_and(|frame| frame.function == function) {
            self.hear(state, Event { thread, moment: returned }, How::Step);
        }
        self.given = None;
        self.hear(state, Event { thread, moment: Moment::Reached }, How::Step);
        if self.automaton.asks_for_deadlock()
            && !matches!(self.machine.next(state, thread), Next::Step(_))
            && self.machine.is_deadlock(state)
        {
            self.hear(state, Event { thread, moment: Moment::Deadlock }, How::Deadlock);
        }
        self.would_call(state);
    }

    /// Who waits in a call has called. It counts as an error if it is one; otherwise the call counts when it goes on.
    fn would_call(&mut self, state: &State) {
        for thread in state.thread_ids() {
            let Some(frame) = state.thread(thread).frames.last() else { continue };
            let function = self.machine.function(frame.function);
            let Some((edge, _)) = function.edges_from(frame.location).next() else { continue };
            let event = Event { thread, moment: Moment::Before(frame.function, edge) };
            if self.reached.is_none()
                && self.automaton.concerns(&event)
                && matches!(self.machine.next(state, thread), Next::Blocked(_))
            {
                let now = self.configuration.clone();
                self.hear(state, event, How::Waits);
                self.configuration = now;
            }
        }
    }

    fn hear(&mut self, state: &State, event: Event, how: How) {
        if self.reached.is_some() || !self.automaton.concerns(&event) {
            return;
        }
        let look = Concrete { machine: self.machine, state, thread: event.thread, given: self.given };
        self.configuration = self.automaton.advance(self.machine.program, &self.configuration, &event, &look);
        if let Some(element) = self.configuration.error(self.automaton).filter(|element| element.certain) {
            let pieces = self.automaton.states[usize::from(element.state.0)].message.iter().flatten();
            let said = |piece: &Piece| match piece {
                Piece::Text(text) => Said::Text(text.clone()),
                Piece::Slot(slot) => match element.slots[*slot] {
                    Slot::Bound(value) => Said::Value(value),
                    Slot::Free | Slot::Unknown => Said::Unknown,
                },
            };
            let message = pieces.map(said).collect();
            self.reached = Some(Reached { state: element.state, thread: event.thread, how, message });
        }
    }
}

//! An automaton as data, its names looked up in one program.

use std::fmt;

use base::IndexVec;
use program::{EdgeId, FunctionId};
use semantics::{Pointer, ThreadId};

use crate::configuration::{Configuration, Element, Slot};
use crate::look::Place;
use crate::primitive::Primitive;
use crate::syntax::Comparison;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u16);

/// Obligation: used only with the program that it was resolved for.
#[derive(Debug)]
pub struct Automaton {
    pub name: String,
    /// Each thread has an instance of its own.
    pub for_each_thread: bool,
    /// Each combination of values of the first so many slots has an instance of its own.
    pub keys: usize,
    /// The names of the slots, without `$`.
    pub slots: Vec<String>,
    pub states: Vec<State>,
    pub initial: StateId,
    pub(crate) transitions: Vec<Transition>,
    /// For each edge, the transitions that it may cause before it is taken, and behind it.
    pub(crate) before: Table,
    pub(crate) after: Table,
    /// Transitions by a condition alone.
    pub(crate) reached: Vec<u16>,
    pub(crate) deadlock: Vec<u16>,
}

pub(crate) type Table = IndexVec<FunctionId, Vec<Box<[u16]>>>;

#[derive(Debug)]
pub struct State {
    pub name: String,
    /// Of an error state.
    pub message: Option<Vec<Piece>>,
}

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    Text(String),
    /// The value of a slot.
    Slot(usize),
}

/// Something that happens in a run: what transitions wait for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    pub thread: ThreadId,
    pub moment: Moment,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// The thread is about to take an edge of its running function. Look at the state before it.
    Before(FunctionId, EdgeId),
    /// The thread has taken the edge and not called a function by it. Look at the state behind it.
    After(FunctionId, EdgeId),
    /// A step of the thread led to a state, or the run begins: conditions alone count.
    Reached,
    /// A step of the thread led to a deadlock.
    Deadlock,
}

#[derive(Debug)]
pub(crate) struct Transition {
    pub from: StateId,
    pub to: StateId,
    pub trigger: Trigger,
    pub condition: Option<Condition>,
}

#[derive(Debug)]
pub(crate) enum Trigger {
    Call {
        callee: Callee,
        arguments: Vec<Option<Term>>,
    },
    Return {
        callee: Callee,
        value: Option<Term>,
    },
    Access {
        write: bool,
        range: Range,
    },
    /// The edges are all there is to say.
    Place,
    End,
    Deadlock,
    Reached,
}

/// Who is meant by a function's name.
#[derive(Debug)]
pub(crate) struct Callee {
    pub name: String,
    pub functions: Vec<FunctionId>,
    /// A library function that is edges of the caller.
    pub primitive: Option<&'static Primitive>,
}

/// Bytes of a global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub start: Pointer,
    pub length: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Term {
    Number(i128),
    Slot(usize),
    Variable { place: Place, signed: bool },
    Address(Pointer),
    Sum { left: Box<Term>, right: Box<Term>, minus: bool },
}

#[derive(Debug)]
pub(crate) enum Condition {
    Compare(Term, Comparison, Term),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Automaton {
    /// Before the run.
    pub fn start(&self) -> Configuration {
        if self.has_instances() {
            return Configuration::default();
        }
        Configuration { elements: vec![self.fresh(None)] }
    }

    /// Instances are made when their values are first met.
    pub fn has_instances(&self) -> bool {
        self.for_each_thread || self.keys > 0
    }

    pub(crate) fn fresh(&self, thread: Option<ThreadId>) -> Element {
        let slots = vec![Slot::Free; self.slots.len()].into();
        Element { thread, slots, state: self.initial, certain: true }
    }

    /// The transitions that an event may cause; for most events there are none, and `advance` would change nothing.
    pub(crate) fn caused_by(&self, event: &Event) -> &[u16] {
        match event.moment {
            Moment::Before(function, edge) => &self.before[function][edge.0 as usize],
            Moment::After(function, edge) => &self.after[function][edge.0 as usize],
            Moment::Reached => &self.reached,
            Moment::Deadlock => &self.deadlock,
        }
    }

    /// False: `advance` would change nothing.
    pub fn concerns(&self, event: &Event) -> bool {
        !self.caused_by(event).is_empty()
    }

    /// Is nothing looked at but the edges that it is concerned with, and what their threads alone decide? Then it does not matter
    /// what else threads do, and when.
    pub fn sees_edges_only(&self) -> bool {
        self.reached.is_empty() && self.deadlock.is_empty() && !self.transitions.iter().any(Transition::reads_variables)
    }

    /// Some transition waits for a deadlock.
    pub fn asks_for_deadlock(&self) -> bool {
        !self.deadlock.is_empty()
    }
}

impl Transition {
    fn reads_variables(&self) -> bool {
        let by_trigger = match &self.trigger {
            Trigger::Call { arguments, .. } => arguments.iter().flatten().any(Term::reads_variables),
            Trigger::Return { value, .. } => value.as_ref().is_some_and(Term::reads_variables),
            _ => false,
        };
        by_trigger || self.condition.as_ref().is_some_and(Condition::reads_variables)
    }
}

impl Term {
    fn reads_variables(&self) -> bool {
        match self {
            Term::Variable { .. } => true,
            Term::Number(_) | Term::Slot(_) | Term::Address(_) => false,
            Term::Sum { left, right, .. } => left.reads_variables() || right.reads_variables(),
        }
    }
}

impl Condition {
    fn reads_variables(&self) -> bool {
        match self {
            Condition::Compare(left, _, right) => left.reads_variables() || right.reads_variables(),
            Condition::Not(inner) => inner.reads_variables(),
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.reads_variables() || right.reads_variables()
            }
        }
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

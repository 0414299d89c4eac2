//! What the fixpoint finds: states at nodes, contents of shared objects, facts about abstract threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::contents::Contents;
use crate::exposure::Exposure;
use crate::guard::Guard;
use crate::locks::Kind;
use crate::map::Map;
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{AbstractThread, Base, CallString, PHASES};
use crate::value::{Term, Value};

#[derive(Clone)]
pub struct Solution {
    /// For each node the states it can be reached in; those that hold different locks are kept apart.
    pub states: Vec<SmallVec<[Arc<ThreadState>; 1]>>,
    /// What call strings end with, by phase; the result is still a variable.
    pub exits: Vec<[Option<Arc<ThreadState>>; PHASES.len()]>,
    /// Where call strings are called from.
    pub callers: Vec<BTreeSet<(CallString, program::EdgeId)>>,
    /// What is in objects that several threads may reach.
    pub shared: BTreeMap<Base, Shared>,
    /// What numbers and indeterminate pointers may lead to.
    pub exposed: Exposure,
    pub abstract_threads: Vec<AbstractThreadFacts>,
    /// What keeps others from globals.
    pub guards: BTreeMap<Base, Guard>,
    /// Globals that may fall, or are written without a guard.
    pub falling: BTreeSet<Base>,
    /// Locks that may be opened by others than who holds them.
    pub broken: BTreeMap<(Kind, Base), Offsets>,
    /// Functions that run with the values of thread-specific keys when a thread ends.
    pub destructors: Value,
    /// Blocks, by their own name, that may be given back.
    pub freed: BTreeSet<Base>,
    /// The least size of blocks, by their own name, in bytes.
    pub sizes: BTreeMap<Base, i64>,
    /// Reached, but not understood.
    pub unsupported: BTreeSet<Box<str>>,
}

impl Solution {
    pub(super) fn new() -> Solution {
        Solution {
            states: Vec::new(),
            exits: Vec::new(),
            callers: Vec::new(),
            shared: BTreeMap::new(),
            exposed: Exposure::default(),
            abstract_threads: Vec::new(),
            guards: BTreeMap::new(),
            falling: BTreeSet::new(),
            broken: BTreeMap::new(),
            destructors: Value::nothing(),
            freed: BTreeSet::new(),
            sizes: BTreeMap::new(),
            unsupported: BTreeSet::new(),
        }
    }
}

#[derive(Clone)]
pub struct Shared {
    pub contents: Arc<Contents>,
    /// The edges that wrote to it since others can reach it.
    pub writers: BTreeSet<(CallString, program::EdgeId)>,
    pub(super) updates: u32,
}

/// What is known of the threads of an abstract thread.
#[derive(Clone, PartialEq, Debug)]
pub struct AbstractThreadFacts {
    pub argument: Value,
    pub shape: ArgumentShape,
    /// Abstract threads that have ended when it begins.
    pub ended: Option<Map<()>>,
    /// Abstract threads that may be alive when one of its threads is created, for all that the creator created.
    pub alive_before: Map<()>,
    /// Several of its threads may run at once.
    pub many: bool,
    /// Its threads can end; then these abstract threads, created by them, may still run.
    pub end: Option<Arc<ThreadState>>,
    pub result: Value,
    pub(super) updates: u32,
}

/// How the arguments of the threads of an abstract thread differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentShape {
    /// There is no such thread yet.
    None,
    /// `base + coefficient * n + offset`, with another number `n` for each.
    Numbers {
        base: Option<Base>,
        coefficient: i64,
        offset: i64,
    },
    /// Each points to an object that no other has got.
    Objects,
    Unknown,
}

impl ArgumentShape {
    pub fn join(self, other: ArgumentShape) -> ArgumentShape {
        match (self, other) {
            (ArgumentShape::None, shape) | (shape, ArgumentShape::None) => shape,
            (a, b) if a == b => a,
            _ => ArgumentShape::Unknown,
        }
    }

    pub fn renamed(self, names: &BTreeMap<Base, Base>) -> ArgumentShape {
        match self {
            ArgumentShape::Numbers { base: Some(base), coefficient, offset } => {
                ArgumentShape::Numbers { base: Some(names.get(&base).copied().unwrap_or(base)), coefficient, offset }
            }
            shape => shape,
        }
    }

    /// An argument of this shape.
    pub fn term(self, abstract_thread: AbstractThread) -> Option<Term> {
        let symbol = crate::value::Symbol::Argument(abstract_thread);
        match self {
            ArgumentShape::Numbers { base, coefficient, offset } => {
                Some(Term { base, coefficient, symbol, offset: Some(offset) })
            }
            ArgumentShape::Objects => Some(Term::of(symbol)),
            ArgumentShape::None | ArgumentShape::Unknown => None,
        }
    }
}

impl AbstractThreadFacts {
    pub(super) fn new() -> AbstractThreadFacts {
        AbstractThreadFacts {
            argument: Value::nothing(),
            shape: ArgumentShape::None,
            ended: None,
            alive_before: Map::new(),
            many: false,
            end: None,
            result: Value::nothing(),
            updates: 0,
        }
    }
}

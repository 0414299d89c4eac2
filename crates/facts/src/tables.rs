//! What facts are about: functions with call strings, abstract threads, abstract objects. They are made when the analysis first meets
//! them and named by small numbers.

mod call_strings;
mod objects;
mod shape;
mod threads;

pub use call_strings::{CallStringInfo, Called, MOST_CALL_STRINGS};
pub use objects::{AbstractObject, Role};
pub use shape::{FunctionShape, Marks, memory_locals};
pub use threads::{AbstractThreadInfo, Created};

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{IndexVec, index_type};
use program::{EdgeId, FunctionId, Location, Program};
use rustc_hash::FxHashMap;

index_type! {
    /// An object, function or thread that a pointer can lead to.
    pub struct Base = "o";
    /// A function as called along one path from where its thread starts.
    pub struct CallString = "i";
    /// The threads that one place of the program creates.
    pub struct AbstractThread = "w";
}

#[derive(Clone)]
pub struct Tables {
    abstract_objects: IndexVec<Base, AbstractObject>,
    bases: FxHashMap<AbstractObject, Base>,
    pub call_strings: IndexVec<CallString, CallStringInfo>,
    callees: FxHashMap<(CallString, EdgeId, FunctionId), CallString>,
    pub abstract_threads: IndexVec<AbstractThread, AbstractThreadInfo>,
    created: FxHashMap<(CallString, EdgeId, FunctionId), AbstractThread>,
    pub shapes: Arc<IndexVec<FunctionId, FunctionShape>>,
    variables: u32,
    /// For each node, where it is.
    pub nodes: Vec<Node>,
    /// Functions of which more than one frame may be on a stack.
    recursive: Vec<bool>,
    repeated: BTreeSet<(FunctionId, EdgeId)>,
    /// One call string for each function and abstract thread, to save work.
    pub merged: bool,
    globals: u32,
}

/// A location in a call string, in a phase of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub call_string: CallString,
    pub location: Location,
    pub phase: Phase,
}

/// States of different phases are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Phase {
    /// No thread has been created yet.
    Before,
    /// Others may run.
    Among,
    /// Those that this thread created have ended.
    Alone,
}

pub const PHASES: [Phase; 3] = [Phase::Before, Phase::Among, Phase::Alone];

/// With more globals, or more abstract threads, no guards are looked for.
pub const MOST_GUARDED: usize = 500;

impl Tables {
    pub fn new(program: &Program, marks: &Marks) -> Tables {
        let shapes = Arc::new(program.functions.iter().map(FunctionShape::of).collect());
        let mut tables = Tables {
            abstract_objects: IndexVec::new(),
            bases: FxHashMap::from_iter([(AbstractObject::Indeterminate, Base::INDETERMINATE)]),
            call_strings: IndexVec::new(),
            callees: FxHashMap::default(),
            abstract_threads: IndexVec::new(),
            created: FxHashMap::default(),
            shapes,
            variables: 0,
            nodes: Vec::new(),
            recursive: marks.recursive.clone(),
            repeated: marks.repeated.clone(),
            merged: marks.merged,
            globals: program.globals.len() as u32,
        };
        for global in program.globals.ids() {
            tables.intern(AbstractObject::Global(global));
        }
        for function in program.functions.ids() {
            tables.intern(AbstractObject::Function(function));
        }
        let root = tables.new_call_string(program, program.entry, AbstractThread(0), None, true);
        tables.abstract_threads.push(AbstractThreadInfo {
            created: None,
            entry: program.entry,
            creates: false,
            parents: Vec::new(),
            once: true,
            root,
        });
        tables
    }

    pub fn node(&self, call_string: CallString, location: Location, phase: Phase) -> u32 {
        self.call_strings[call_string].first_node + location.0 * PHASES.len() as u32 + phase as u32
    }
}

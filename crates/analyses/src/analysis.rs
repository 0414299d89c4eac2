//! The interface of an analysis: abstract states, transfer, coverage and join. It is split by who uses it: searches use
//! [`Analysis`], other components of a product [`Answers`], symmetry reduction [`Naming`], fast steps [`InPlace`].

use std::fmt::Debug;
use std::hash::Hash;

use base::Alarm;

use crate::step::{Advance, Known, Post, Queries, Step, Unknown};
use crate::symmetry::{Edges, Order, Signatures};
use por::Site;
use program::{ExprId, FunctionId, LocalId};
use semantics::{ObjectId, Pointer};
use smallvec::SmallVec;
use spec::Place;

/// A state has two forms. `State` is worked on: components are shared and copied when changed. `Key` is kept: small numbers of
/// components that the analysis stores once. Equal states have equal keys.
///
/// ```
/// use analyses::{Analysis, States};
/// use analyses::memory::{Memory, Options};
///
/// let program = testing::program("int x = 1; int main(void) { return x; }");
/// let mut memory = Memory::new(&program, Options::default());
/// let mut state = memory.initial().expect("it is understood");
/// let key = memory.store(&mut state);
/// let mut again = memory.load(key);
/// assert_eq!(memory.store(&mut again), key);
/// ```
pub trait States {
    type State: Clone + Debug;
    type Key: Copy + Eq + Hash + Debug;

    /// The key of a state; its components become the stored ones.
    fn store(&mut self, state: &mut Self::State) -> Self::Key;

    fn load(&self, key: Self::Key) -> Self::State;
}

/// An abstract domain over the steps of a program: a configurable program analysis in the sense of Beyer, Henzinger and Théoduloz
/// (CAV 2007), with transfer, coverage (`leq`) and merge.
pub trait Analysis: Answers + Naming + InPlace {
    /// Does a step query components of a product before this one? Those after it can always be queried.
    const QUERIES_OTHERS: bool = false;

    fn initial(&mut self) -> Result<Self::State, Unknown>;

    /// States that together cover this one, in which what the step's thread operation or call depends on is known. If there
    /// are too many, some of them, and what is missing.
    fn prepare(&mut self, state: Self::State, step: &Step, out: &mut Vec<Self::State>) -> Option<Unknown> {
        let _ = step;
        out.push(state);
        None
    }

    /// Law: the successors represent every state that a run can be in after the step, from any state that `state` represents.
    /// Components of a product before this one have filled in `step`.
    fn transfer(
        &mut self,
        state: Self::State,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<Self::State>,
    ) -> Result<(), Unknown>;

    /// Law: `b` covers `a`: whatever `a` represents, `b` does.
    fn leq(&mut self, a: Self::Key, b: Self::Key) -> bool {
        a == b
    }

    /// A state that covers both, to be kept instead of them; `None` keeps them apart. `old` was there first and has been
    /// joined with others so many times.
    fn merge(&mut self, new: Self::Key, old: Self::Key, times: u32) -> Option<Self::Key> {
        let _ = (new, old, times);
        None
    }

    /// Makes a state one that is kept instead of it; false if it stays as it is. `around` says where threads are in it.
    /// Law: the new state covers the old one.
    fn enlarge(&mut self, state: &mut Self::State, around: &Around) -> bool {
        let _ = (state, around);
        false
    }

    /// Long computations check the alarm: once it has struck, results may be as coarse as it takes to be quick.
    fn limit(&mut self, alarm: &Alarm) {
        let _ = alarm;
    }

    /// Does the state represent one concrete state only, but for values that the precision does not keep?
    fn is_exact(&self, state: &Self::State) -> bool;

    /// Does the precision keep all values?
    fn keeps_all(&self) -> bool {
        true
    }
}

/// Steps made in place, where the only successor is found quickly.
pub trait InPlace: States {
    /// What a step made in place takes away from a state.
    type Before;

    /// [`Analysis::transfer`] in place, where the only successor is found quickly.
    /// Law: the state becomes what would be the only successor, and the step has no findings and no endings; or it stays as it is.
    fn advance(
        &mut self,
        state: &mut Self::State,
        step: &Step,
        others: &mut dyn Queries,
    ) -> Option<Advance<Self::Before>> {
        let _ = (state, step, others);
        None
    }

    /// Undoes a step of a thread that was made in place.
    fn take_back(&mut self, state: &mut Self::State, thread: u32, before: Self::Before) {
        let _ = (state, thread, before);
    }
}

/// What a state answers to others: components of a product, reductions, specifications.
pub trait Answers: States {
    /// The value of an expression in the running frame of a thread.
    fn value(&mut self, state: &Self::State, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        let _ = (state, thread, function, expr);
        Known::Unknown
    }

    /// The same, where the values of subexpressions are queried from others.
    fn value_with(
        &mut self,
        state: &Self::State,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
        others: &mut dyn Queries,
    ) -> Known {
        let _ = others;
        self.value(state, thread, function, expr)
    }

    /// The value at a place, as a thread in a function sees it.
    fn at(&mut self, state: &Self::State, thread: u32, function: FunctionId, place: Place) -> Known {
        match place {
            Place::Expr(expr) => self.value(state, thread, function, expr),
            Place::Local(_) | Place::Global { .. } => Known::Unknown,
        }
    }

    fn specific(&mut self, state: &Self::State, thread: u32, key: u32) -> Known {
        let _ = (state, thread, key);
        Known::Unknown
    }

    /// Are so many bytes from a pointer on in an object that has not ended?
    fn is_alive(&mut self, state: &Self::State, pointer: Pointer, size: u64) -> bool {
        let _ = (state, pointer, size);
        true
    }

    /// Where an object comes from, and its size.
    fn object(&self, state: &Self::State, id: ObjectId) -> Option<(Site, u64)> {
        let _ = (state, id);
        None
    }

    /// The objects that end when the running frame of a thread does.
    fn ending(&self, state: &Self::State, thread: u32, out: &mut Vec<ObjectId>) {
        let _ = (state, thread, out);
    }

    /// The object of a local in memory of the running frame.
    fn local_object(&self, state: &Self::State, thread: u32, local: LocalId) -> Option<ObjectId> {
        let _ = (state, thread, local);
        None
    }

    /// What is known of the heap.
    fn blocks(&self, state: &Self::State) -> Option<Blocks> {
        let _ = state;
        None
    }
}

/// Names of objects and threads in a state, for canonical forms and symmetry reduction.
pub trait Naming: States {
    /// Gives the objects that the state mentions their new names. See [`crate::Product`].
    fn rename(&mut self, state: &mut Self::State, names: &Names) {
        let _ = (state, names);
    }

    /// The objects that the state mentions but does not hold (locks are known by address).
    fn mentions(&self, state: &Self::State, meet: &mut dyn FnMut(ObjectId)) {
        let _ = (state, meet);
    }

    /// Adds the locations of threads and what mentions them to their symmetry signatures; false if threads cannot be renamed.
    fn sign(&self, state: &Self::State, signatures: &mut Signatures) -> bool {
        let _ = (state, signatures);
        false
    }

    /// Adds what else is known of threads, where their symmetry signatures are equal.
    fn refine_signatures(&self, state: &Self::State, signatures: &mut Signatures) {
        let _ = (state, signatures);
    }

    /// Gives threads other names, if all components can.
    fn reorder(&mut self, state: &mut Self::State, order: &Order) {
        let _ = (state, order);
    }

    /// Handles of threads that are created there need not be kept: no thread reads them.
    fn forget_handles(&mut self, unread: Edges) {
        let _ = unread;
    }

    /// Gives objects names that depend only on how they are reached. `mentioned` by other components; `None` if all stay.
    fn canonical(&mut self, state: &mut Self::State, mentioned: &[ObjectId]) -> Option<Names> {
        let _ = (state, mentioned);
        None
    }
}

/// The location vector of a state and its locks, for analyses of data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Around {
    /// Where each thread is: its stack, its location.
    pub places: SmallVec<[[u32; 2]; 6]>,
    /// The number of the locks that are held, and the thread inside an atomic section.
    pub locks: [u32; 2],
    /// How many threads have not ended.
    pub active: u32,
}

/// Heap blocks of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// Some are not given back.
    pub live: bool,
    /// Nothing leads to some of those.
    pub lost: bool,
}

/// New names of objects by old ones; an object without is gone and mentioned nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    pub objects: Vec<Option<ObjectId>>,
    /// Objects, by their old names, that are mentioned elsewhere but have ended: their locks are forgotten.
    pub ended: Vec<ObjectId>,
}

impl Names {
    pub fn object(&self, id: ObjectId) -> ObjectId {
        self.objects.get(id.0 as usize).copied().flatten().unwrap_or(id)
    }

    /// Does it have no name any more?
    pub fn is_gone(&self, id: ObjectId) -> bool {
        self.objects.get(id.0 as usize).is_some_and(|name| name.is_none())
    }

    pub fn pointer(&self, pointer: Pointer) -> Pointer {
        match pointer.base {
            semantics::Base::Object(id) => {
                Pointer { base: semantics::Base::Object(self.object(id)), offset: pointer.offset }
            }
            _ => pointer,
        }
    }
}

//! A step of one thread, and its result.

use program::{EdgeId, ExprId, FunctionId};
pub use semantics::{Control, Then};
use semantics::{Pointer, Violation};
use smallvec::SmallVec;

/// One edge of one thread's running function. Analyses fill in what they decide: components of a product see the step as
/// those before them left it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    pub thread: u32,
    /// The running function before the step.
    pub function: FunctionId,
    pub edge: EdgeId,
    /// Where the interpreter would query its environment for a choice (which waiter a signal wakes, whether a weak exchange fails):
    /// what is chosen.
    pub choice: Option<u32>,
    pub control: Control,
}

/// What may happen in a step besides reaching another state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    pub violation: Violation,
    /// It happens in every run that makes the step, not just in some.
    pub sure: bool,
}

/// Why an analysis cannot say what a step does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Unknown {
    /// The program has a construct that is not understood.
    Unsupported(Box<str>),
    /// The abstraction is too coarse for the step.
    Imprecise(&'static str),
    /// The result of the step is too large to be kept.
    TooLarge(&'static str),
}

impl Unknown {
    pub fn describe(&self) -> &str {
        match self {
            Unknown::Unsupported(what) => what,
            Unknown::Imprecise(what) | Unknown::TooLarge(what) => what,
        }
    }
}

/// The result of a step: all states that it may lead to. With neither a successor nor an ending, the step is not possible.
#[derive(Debug)]
pub struct Post<S> {
    /// Most often one.
    pub successors: SmallVec<[(S, Step); 1]>,
    pub findings: Vec<Finding>,
    /// Runs may end with the step: by the program's will, or by undefined behaviour.
    pub ends: bool,
    /// Some of what may happen was not followed: the rest is for finding violations only.
    pub missing: Option<Unknown>,
    /// The step as it is when the specification may come to an error by it.
    pub errors: Vec<Step>,
}

impl<S> Default for Post<S> {
    fn default() -> Self {
        Post { successors: SmallVec::new(), findings: Vec::new(), ends: false, missing: None, errors: Vec::new() }
    }
}

impl<S> Post<S> {
    /// Adds the results of a part of the step, with its states mapped.
    pub fn take<T>(&mut self, part: Post<T>, mut state: impl FnMut(T) -> S) {
        self.successors.extend(part.successors.into_iter().map(|(inner, step)| (state(inner), step)));
        self.findings.extend(part.findings);
        self.ends |= part.ends;
        self.missing = self.missing.take().or(part.missing);
        self.errors.extend(part.errors);
    }

    /// Runs end with the step by undefined behaviour: all, or some perhaps.
    pub fn end_undefined(&mut self, sure: bool) {
        self.find(Violation::Undefined, sure);
        self.ends = true;
    }

    pub fn find(&mut self, violation: Violation, sure: bool) {
        self.findings.push(Finding { violation, sure });
    }
}

/// A step that was made in place, see [`crate::InPlace::advance`].
pub struct Advance<B> {
    pub control: Control,
    /// What the step took away.
    pub before: B,
    /// If objects had the names that [`crate::Naming::canonical`] gives, they still have.
    pub keeps_names: bool,
}

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    Bits(u64),
    Pointer(Pointer),
    Unknown,
}

/// Queries to the other components at the state before a step.
pub trait Queries {
    /// The value of an expression in the running frame of a thread.
    fn value(&mut self, thread: u32, function: FunctionId, expr: ExprId) -> Known;
    /// What a thread keeps under a key.
    fn specific(&mut self, thread: u32, key: u32) -> Known;
    /// Is the object alive that a lock lies in?
    fn is_alive(&mut self, pointer: Pointer, size: u64) -> bool;
}

/// Answers no query.
pub struct NoAnswers;

impl Queries for NoAnswers {
    fn value(&mut self, _: u32, _: FunctionId, _: ExprId) -> Known {
        Known::Unknown
    }

    fn specific(&mut self, _: u32, _: u32) -> Known {
        Known::Unknown
    }

    fn is_alive(&mut self, _: Pointer, _: u64) -> bool {
        true
    }
}

//! What engines and their users share: a task with its targets, a verdict with its evidence, the engine that leads from one to
//! the other. Knows no engine.

mod annotations;
mod condition;
mod coverage;
mod formulas;
mod proof;
mod property;
mod statistic;
mod target;

pub use annotations::{Auxiliary, Invariants, NodeId, Place, ProofOutline, Tree, TreeNode};
pub use condition::{Condition, Follow, StateId, Summary, ThreadStep};
pub use coverage::{Coverage, Part, Spot, Visited, Words};
pub use formulas::{AuxiliaryId, Formulas, LocationVector, Stack, Variable};
pub use proof::{Certificate, Proof, SharedFacts, alarms};
pub use property::Property;
pub use statistic::{Statistic, Statistics};
pub use target::{Target, Targets};

use std::sync::Arc;

use base::{Budget, Limit};
use facts::{Candidate, Stop};
use program::{Ledger, Program};
use semantics::Trace;
use spec::Automaton;
use thiserror::Error;

/// The task of an engine: can one of the targets be reached?
pub struct Task<'t> {
    pub program: &'t Program,
    pub targets: Targets,
    /// The automaton whose error states [`Target::Specification`] means.
    pub specification: Option<&'t Automaton>,
    pub facts: &'t SharedFacts,
    /// Runs inside it were verified before, of the same targets; `Verdict::Holds` is then about all others. To ignore it is sound: all
    /// runs are verified.
    pub condition: Option<&'t Condition>,
}

/// Evidence is part of the verdict: there is none without it.
#[derive(Debug)]
pub enum Verdict {
    /// No run reaches a target.
    Holds(Proof),
    /// A run that reaches a target.
    Violated {
        target: Target,
        trace: Trace,
    },
    Open(Reason),
}

/// Why there is no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Limit(Limit),
    /// A limit by count that the user set.
    Count(&'static str),
    /// The engine can find violations but not exclude them.
    CannotProve,
    /// Static facts do not exclude a target.
    NotExcluded,
    /// The engine says nothing of such a target.
    Beyond(Target),
    /// Runs reach something that is not supported.
    Unsupported(Box<str>),
    /// The engine's abstraction is too coarse for a step.
    Imprecise(&'static str),
    /// The engine's states or sets became too large.
    TooLarge(&'static str),
    /// The program's model lacks behaviours, so that its proof would not be one of the program; the subject of the ledger's entry.
    LeftOut(Box<str>),
    /// There is a proof, but it says nothing of what the program is about: why.
    Vacuous(Box<str>),
    /// There is a proof, but its check did not come to an end.
    Unchecked(Limit),
    /// Pairs of accesses that could not be kept apart.
    Candidates(Vec<Candidate>),
    /// A violation was found that rests on behaviour which was only added by an imprecise model.
    Candidate(Target, Arc<Trace>),
    /// The engine's abstraction has a path to the target, but no run was found that goes along it.
    Unrealized(Target),
    /// Stopped for a reason; what was proved until then, and what is left.
    Partly(Box<Reason>, Summary),
    /// What each engine of a sequence says, in order.
    Each(Vec<(&'static str, Reason)>),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Limit(limit) => Reason::Limit(limit),
            Stop::Unsupported(what) => Reason::Unsupported(what),
        }
    }
}

/// What an engine found, under which condition, with what it had to assume beyond the program's own ledger, and what it did.
#[derive(Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The runs that were verified, whatever the verdict is.
    pub condition: Condition,
    pub ledger: Ledger,
    pub statistics: Statistics,
}

/// An internal failure of an engine.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error("a violation found by {engine} could not be repeated by the interpreter: {reason}")]
    NotRepeatable { engine: &'static str, reason: String },
}

/// A family of algorithms: takes a task, returns a verdict with its evidence. May be moved to another thread. Obligation: asks
/// the budget so often that it returns within 100 ms when that is cancelled.
///
/// ```
/// use base::Budget;
/// use program::Ledger;
/// use verify::{Condition, Engine, EngineError, Observer, Outcome, Property, Reason, SharedFacts, Silent, Task, Verdict};
///
/// /// Supports nothing.
/// struct Modest;
///
/// impl Engine for Modest {
///     fn name(&self) -> &'static str {
///         "modest"
///     }
///
///     fn run(&mut self, _: &Task<'_>, _: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
///         log.progress("programs", 1);
///         let verdict = Verdict::Open(Reason::Unsupported("everything".into()));
///         let (condition, ledger) = (Condition::nothing(), Ledger::default());
///         Ok(Outcome { verdict, condition, ledger, statistics: Vec::new() })
///     }
/// }
///
/// let program = testing::program("int main(void) { return 0; }");
/// let (targets, facts) = (Property::NoDataRace.targets(), SharedFacts::default());
/// let task = Task { program: &program, targets, facts: &facts, specification: None, condition: None };
/// let outcome = Modest.run(&task, &Budget::unlimited(), &mut Silent).expect("it does not fail");
/// assert!(matches!(outcome.verdict, Verdict::Open(_)));
/// ```
pub trait Engine: Send {
    fn name(&self) -> &'static str;
    fn run(&mut self, task: &Task<'_>, budget: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError>;
}

/// An observer of an engine's progress. Default methods do nothing.
///
/// ```
/// use verify::Observer;
///
/// /// The latest count.
/// struct Latest(u64);
///
/// impl Observer for Latest {
///     fn progress(&mut self, _: &'static str, count: u64) {
///         self.0 = count;
///     }
/// }
///
/// let mut latest = Latest(0);
/// latest.progress("states", 7);
/// assert_eq!(latest.0, 7);
/// ```
pub trait Observer: Send {
    /// Some work is done: `count` of `what` so far.
    fn progress(&mut self, what: &'static str, count: u64) {
        let _ = (what, count);
    }
}

/// An observer that does nothing.
pub struct Silent;

impl Observer for Silent {}

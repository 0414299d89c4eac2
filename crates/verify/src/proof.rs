//! Why no run reaches a target: evidence that can be checked without knowing who found it.

use std::any::Any;
use std::cell::OnceCell;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use base::Budget;
use facts::{Candidate, Facts, Stop};
use program::Program;

use crate::{Invariants, ProofOutline, Target, Tree};

#[derive(Clone, Debug)]
pub enum Proof {
    /// No run reaches a target because of what is known of all runs.
    Facts(Rc<Facts>),
    /// All states that runs reach are among these, and none of them is or leads to a target.
    Reached(Rc<dyn Certificate>),
    /// Formulas that hold wherever threads are, and exclude the targets there.
    Invariants(Arc<Invariants>),
    /// An abstract reachability tree that is closed by its coverings, without a node that shows a target.
    Tree(Arc<Tree>),
    /// A proof outline of each thread, free of interference.
    Outline(Arc<ProofOutline>),
}

/// A reached set, in the form of the analysis that found it. Engines and their users pass it on; the checker knows which analyses
/// there are, and looks which of them it is from.
pub trait Certificate: Any + Debug {
    /// How many states it has.
    fn states(&self) -> usize;
}

impl Proof {
    /// The kind of evidence.
    pub fn name(&self) -> &'static str {
        match self {
            Proof::Facts(_) => "static facts",
            Proof::Reached(_) => "reached states",
            Proof::Invariants(_) => "invariants",
            Proof::Tree(_) => "an abstract reachability tree",
            Proof::Outline(_) => "a proof outline",
        }
    }
}

/// How a target may be reached by the facts: not at all if the list is empty. `None` if facts do not decide it.
pub fn alarms(program: &Program, facts: &Facts, target: Target) -> Option<Vec<Candidate>> {
    let places = match target {
        Target::Race => return facts.races(program),
        Target::Error => facts.errors(program),
        Target::Overflow => facts.overflows(program),
        Target::InvalidAccess => facts.invalid_accesses(program),
        Target::InvalidFree => facts.invalid_frees(program),
        Target::Undefined => facts.undefined(program),
        Target::Lost | Target::NotFreed => facts.allocations(program),
        Target::Deadlock | Target::Endless | Target::Specification => return None,
    };
    places.is_empty().then(Vec::new)
}

/// Facts of one program, found when they are first used, then kept for all engines and properties; a failure is kept, too.
#[derive(Debug, Default)]
pub struct SharedFacts(OnceCell<Result<Rc<Facts>, Stop>>);

impl SharedFacts {
    /// If they were found already.
    pub fn known(&self) -> Option<Rc<Facts>> {
        self.0.get()?.clone().ok()
    }

    /// Obligation: always with the same program.
    pub fn get(&self, program: &Program, budget: &Budget) -> Result<Rc<Facts>, Stop> {
        self.0.get_or_init(|| facts::analyze(program, budget).map(Rc::new)).clone()
    }
}

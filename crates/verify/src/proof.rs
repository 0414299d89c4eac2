//! Why no run reaches a target: evidence that can be checked without knowing who found it.

use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::Duration;

use base::{Alarm, Budget, Limit};
use facts::{Candidate, Facts, Stop};
use program::Program;

use crate::{Invariants, ProofOutline, Target, Tree};

#[derive(Clone, Debug)]
pub enum Proof {
    /// Static facts exclude the targets.
    Facts(Arc<Facts>),
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

/// How a target may be reached by the facts: not at all if the list is empty. `None` if facts do not decide it, or not within the
/// limits of the alarm.
pub fn alarms(program: &Program, facts: &Facts, target: Target, alarm: &Alarm) -> Option<Vec<Candidate>> {
    let places = match target {
        Target::Race => return facts.races(program, alarm),
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

/// Facts of one program, found when they are first used, then kept for all engines and properties; a failure is kept, too, unless
/// it is that the search for them was cancelled. May be shared between threads: one finds the facts, the others wait for them.
#[derive(Debug, Default)]
pub struct SharedFacts {
    known: OnceLock<Result<Arc<Facts>, Stop>>,
    /// Held by who is about to find them.
    finding: Mutex<()>,
}

/// How long to wait for facts before asking the budget again.
const WAIT: Duration = Duration::from_millis(1);

impl SharedFacts {
    /// If they were found already.
    pub fn known(&self) -> Option<Arc<Facts>> {
        self.known.get()?.clone().ok()
    }

    /// Obligation: always with the same program.
    pub fn get(&self, program: &Program, budget: &Budget) -> Result<Arc<Facts>, Stop> {
        if let Some(known) = self.known.get() {
            return known.clone();
        }
        let _finding = self.wait(budget)?;
        let find = || facts::analyze(program, budget).map(Arc::new);
        let found = self.known.get().cloned().unwrap_or_else(find);
        match found {
            Err(Stop::Limit(Limit::Cancelled)) => found,
            _ => self.known.get_or_init(|| found).clone(),
        }
    }

    /// Waits until no other thread is about to find them.
    fn wait(&self, budget: &Budget) -> Result<MutexGuard<'_, ()>, Stop> {
        loop {
            match self.finding.try_lock() {
                Ok(turn) => return Ok(turn),
                // Nothing is behind it that could be broken.
                Err(TryLockError::Poisoned(turn)) => return Ok(turn.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(WAIT),
            }
            if let Some(limit) = budget.exhausted() {
                return Err(Stop::Limit(limit));
            }
        }
    }
}

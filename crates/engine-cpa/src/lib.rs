//! A configurable analysis of threads and data (Beyer and Friedberger, "A Light-Weight Approach for Verifying Multi-Threaded
//! Programs with CPAchecker", 2016; Beyer, Gulwani and Schmidt, "Combining Model Checking and Data-Flow Analysis", 2018): states are
//! reached, covered, joined and expanded until none is left. Which data they hold, how they are kept and in which order they are
//! expanded, and which steps of threads are made, can be chosen.

mod explore;
mod path;
mod reached;
mod waitlist;

use std::cell::RefCell;
use std::rc::Rc;

pub use analyses::Reduction;
use analyses::memory::{self, Memory};
use analyses::{Claim, System, Tables, Threads};
use base::Budget;
use program::Ledger;
use semantics::Machine;
use verify::{Engine, EngineError, Observer, Outcome, Proof, Reason, Target, Task, Verdict, suspects};

use explore::{Ended, Explorer};
pub use reached::Partition;
pub use waitlist::{Order, Strategy};

/// What the engine is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// States at the same places are joined.
    pub joins: bool,
    pub reduction: Reduction,
    /// Steps of threads that another order has made already are left out.
    pub sleep: bool,
    pub partition: Partition,
    pub strategy: Strategy,
    pub seed: u64,
    /// Stop when more are kept.
    pub most_states: Option<u64>,
    /// Ask the facts first.
    pub facts: bool,
    /// If a bound on threads keeps some from being created, stop when this part of the time is used.
    pub part: f64,
}

/// Bounds on threads that are tried one after the other, as long as they keep threads from being created, each up to a part of the
/// time: in programs that create very many, few show most violations.
const BOUNDS: [(Option<u32>, f64); 4] = [(Some(3), 0.3), (Some(5), 0.55), (Some(9), 0.8), (None, 1.0)];

impl Default for Options {
    fn default() -> Self {
        Options {
            joins: false,
            reduction: Reduction::Source,
            sleep: false,
            partition: Partition::Hash,
            strategy: Strategy { fewest_threads: false, order: Order::Depth },
            seed: 1,
            most_states: None,
            facts: true,
            part: 1.0,
        }
    }
}

pub struct CpaEngine {
    pub name: &'static str,
    pub options: Options,
}

impl CpaEngine {
    /// Values that are known, and symbols for those that are not.
    pub fn value(options: Options) -> CpaEngine {
        CpaEngine { name: "value", options: Options { joins: false, ..options } }
    }

    /// Ranges of values, joined at the same places.
    pub fn interval(options: Options) -> CpaEngine {
        CpaEngine { name: "interval", options: Options { joins: true, ..options } }
    }
}

impl Engine for CpaEngine {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let facts = match task.facts.get(task.program, budget) {
            Ok(facts) if self.options.facts => Some(facts),
            _ => None,
        };
        let left_out = task.program.ledger.left_out().map(|entry| Reason::LeftOut(entry.subject.as_str().into()));
        let outcome = |verdict, statistics| Ok(Outcome { verdict, ledger: Ledger::default(), statistics });
        if let Some(facts) = &facts
            && left_out.is_none()
            && task.targets.iter().all(|target| suspects(task.program, facts, target).is_some_and(|s| s.is_empty()))
        {
            return outcome(Verdict::Holds(Proof::Facts(facts.clone())), facts.statistics());
        }
        if task.targets.contains(Target::Specification) {
            return outcome(Verdict::Open(Reason::NotExcluded), Vec::new());
        }
        let machine = Machine::new(task.program);
        let keep_named = task.targets.contains(Target::Lost);
        let heap = keep_named || task.targets.contains(Target::NotFreed);
        let reduction = if heap { Reduction::None } else { self.options.reduction };
        let options =
            memory::Options { join: self.options.joins, thresholds: Vec::new(), keep_named, pointers_only: false };
        let mut search = self.options.clone();
        let mut bounds = BOUNDS.into_iter();
        let (end, explorer) = loop {
            let (most_threads, part) = bounds.next().expect("the last one is no bound");
            search.part = part;
            let memory = Memory::new(task.program, options.clone());
            let threads = Threads::new(task.program);
            let mut system = System::new(task.program, threads, memory, reduction, facts.as_deref());
            system.most_threads = most_threads;
            let mut explorer = Explorer::new(system, &machine, task.targets, search.clone());
            let end = explorer.run(budget, log);
            let is_over = matches!(end, Ended::Found(..)) || budget.exhausted().is_some();
            if is_over || !explorer.system.is_cut {
                break (end, explorer);
            }
        };
        let statistics = explorer.statistics();
        let verdict = match (end, left_out) {
            (Ended::Found(target, found), _) => Verdict::Violated { target, trace: found.trace },
            (Ended::Open(reason), _) => Verdict::Open(reason),
            (Ended::Complete, Some(reason)) => Verdict::Open(reason),
            (Ended::Complete, None) if task.targets.contains(Target::Endless) => Verdict::Open(Reason::CannotProve),
            (Ended::Complete, None) => {
                let states = explorer.kept(|key| key);
                let reduction = explorer.system.reduction;
                let both = explorer.system.both;
                let tables = Tables { threads: both.0.into_tables(), memory: both.1.into_tables(), options };
                let tables = RefCell::new(Some(tables));
                Verdict::Holds(Proof::Reached(Rc::new(Claim { reduction, facts, tables, states })))
            }
        };
        outcome(verdict, statistics)
    }
}

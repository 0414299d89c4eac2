//! Finds violations by many runs of the interpreter under random and priority-based schedules (PCT: Burckhardt et al., ASPLOS
//! 2010), with random, boundary and branch-guided inputs. Says *violated*, with the run, or nothing.
//!
//! Races are found by happens-before over all synchronisation of a run; the run is then cut down to one in which both accesses
//! are next. A found run counts only if it can be repeated.

mod driver;
mod happens_before;
mod inputs;
mod schedule;

use std::sync::Arc;

use base::Budget;
use program::{AssumptionKind, Direction, Ledger};
use semantics::{Machine, Trace};
use verify::{Condition, Engine, EngineError, Observer, Outcome, Reason, Statistic, Target, Task, Verdict};

use crate::driver::{Driver, Found, Memory};

pub struct RandomEngine {
    pub seed: u64,
    /// Stop after so many runs.
    pub runs: Option<u64>,
}

impl Engine for RandomEngine {
    fn name(&self) -> &'static str {
        "random"
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let machine = Machine::new(task.program);
        let mut search = Search { memory: Memory::new(task, self.seed), runs: 0, steps: 0, candidate: None };
        let verdict = loop {
            if let Some(reason) = self.limit(budget, search.runs) {
                break Verdict::Open(search.memory.unsupported().map_or(reason, Reason::Unsupported));
            }
            match search.one_run(&machine, task, budget) {
                Some((target, trace)) => break Verdict::Violated { target, trace },
                None if search.memory.saw_everything() => break Verdict::Open(search.reason()),
                None => log.progress("runs", search.runs),
            }
        };
        let verdict = match (verdict, search.candidate) {
            (Verdict::Open(_), Some((target, trace))) => Verdict::Open(Reason::Candidate(target, Arc::new(trace))),
            (verdict, _) => verdict,
        };
        let statistics = vec![(Statistic::Runs, search.runs), (Statistic::Steps, search.steps)];
        Ok(Outcome { verdict, condition: Condition::nothing(), ledger: ledger(task, &search.memory), statistics })
    }
}

impl RandomEngine {
    fn limit(&self, budget: &Budget, runs: u64) -> Option<Reason> {
        let limit = budget.exhausted().map(Reason::Limit);
        limit.or_else(|| self.runs.is_some_and(|most| runs >= most).then_some(Reason::Count("runs")))
    }
}

struct Search {
    memory: Memory,
    runs: u64,
    steps: u64,
    /// A violation that rests on an imprecise model.
    candidate: Option<(Target, Trace)>,
}

impl Search {
    fn one_run(&mut self, machine: &Machine<'_>, task: &Task<'_>, budget: &Budget) -> Option<(Target, Trace)> {
        let mut driver = Driver::new(machine, task, &mut self.memory, self.runs, budget);
        let run = machine.run(&mut driver);
        driver.finish(&run);
        let found = driver.found.take();
        self.runs += 1;
        self.steps += run.trace.steps.len() as u64;
        match found? {
            Found { target, trace, imprecise: true, .. } => {
                self.candidate.get_or_insert((target, trace.unwrap_or(run.trace)));
                None
            }
            Found { target, trace, .. } => Some((target, trace.unwrap_or(run.trace))),
        }
    }

    fn reason(&self) -> Reason {
        self.memory.unsupported().map_or(Reason::CannotProve, Reason::Unsupported)
    }
}

/// What is reported of runs that did not end in order, once for each kind.
fn ledger(task: &Task<'_>, memory: &Memory) -> Ledger {
    let mut ledger = Ledger::default();
    let span = task.program.functions[task.program.main].span;
    for kind in &memory.undefined {
        let text = "ends runs quietly: what comes behind it is undefined";
        ledger.assume(AssumptionKind::Construct, Direction::Convention, kind.describe(), text, span);
    }
    if let Some(what) = memory.given_up {
        ledger.assume(AssumptionKind::Environment, Direction::Under, what, "runs were given up there", span);
    }
    ledger
}

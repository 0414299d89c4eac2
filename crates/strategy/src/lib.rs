//! Sequential composition of engines. Knows none of them by name.

use base::Budget;
use program::Ledger;
use verify::{Condition, Engine, EngineError, Observer, Outcome, Reason, Task, Verdict};

/// Each engine in turn, until one has a verdict.
pub struct Sequence {
    pub name: &'static str,
    pub engines: Vec<Box<dyn Engine>>,
}

impl Engine for Sequence {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let (mut ledger, mut statistics, mut reasons) = (Ledger::default(), Vec::new(), Vec::new());
        let mut condition = Condition::nothing();
        let last = self.engines.len().saturating_sub(1);
        for (i, engine) in self.engines.iter_mut().enumerate() {
            // Who comes later is more thorough.
            let outcome = match i == last {
                true => engine.run(task, budget, log)?,
                false => engine.run(task, &budget.quarter(), log)?,
            };
            statistics.extend(outcome.statistics);
            match outcome.verdict {
                Verdict::Open(reason) => reasons.push((engine.name(), reason)),
                verdict => {
                    return Ok(Outcome { verdict, condition: outcome.condition, ledger: outcome.ledger, statistics });
                }
            }
            ledger.extend(&outcome.ledger);
            // Each holds by itself; the last engine is the most thorough.
            condition = outcome.condition;
        }
        Ok(Outcome { verdict: Verdict::Open(Reason::Each(reasons)), condition, ledger, statistics })
    }
}

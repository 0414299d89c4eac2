//! Proves that no run reaches a target, from static facts alone. Says *holds*, with the facts, or what may still happen; it
//! finds no violation.

use std::sync::Arc;

use base::{Alarm, Budget};
use facts::Facts;
use program::Ledger;
use verify::{
    Condition, Engine, EngineError, Observer, Outcome, Proof, Reason, Statistic, Target, Task, Verdict, alarms,
};

pub struct StaticEngine;

impl Engine for StaticEngine {
    fn name(&self) -> &'static str {
        "static"
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, _log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let facts = facts(task, budget);
        let statistics = facts.as_ref().map_or_else(|_| Vec::new(), |facts| Statistic::of_facts(facts));
        let verdict = match facts {
            Err(reason) => Verdict::Open(reason),
            Ok(facts) => open(task, &facts, &Alarm::new(budget))
                .map_or_else(|| Verdict::Holds(Proof::Facts(facts)), Verdict::Open),
        };
        Ok(Outcome { condition: Condition::of(&verdict), verdict, ledger: Ledger::default(), statistics })
    }
}

/// Of a model that lacks behaviours, facts prove nothing.
fn facts(task: &Task<'_>, budget: &Budget) -> Result<Arc<Facts>, Reason> {
    if task.targets.contains(Target::Specification) {
        // Facts say nothing of automata: they need not be found.
        return Err(Reason::NotExcluded);
    }
    match task.program.ledger.left_out() {
        Some(entry) => Err(Reason::LeftOut(entry.subject.as_str().into())),
        None => Ok(task.facts.get(task.program, budget)?),
    }
}

/// Why the facts are no proof, if they are none.
fn open(task: &Task<'_>, facts: &Facts, alarm: &Alarm) -> Option<Reason> {
    let mut candidates = Vec::new();
    for target in task.targets.iter() {
        match alarms(task.program, facts, target, alarm) {
            Some(more) => candidates.extend(more),
            None => return Some(alarm.struck().map_or(Reason::NotExcluded, Reason::Limit)),
        }
    }
    (!candidates.is_empty()).then_some(Reason::Candidates(candidates))
}

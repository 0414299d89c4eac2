//! The first verdict counts; without one, every reason does.

use std::sync::{Arc, Mutex};

use base::{Budget, Idx, IndexVec, SourceMap, Span};
use program::{AssumptionKind, Direction, FunctionId, Ledger, Machine, Program, Types};
use semantics::Trace;
use strategy::Sequence;
use verify::{
    Condition, Engine, EngineError, Observer, Outcome, Property, Reason, SharedFacts, Silent, Statistic, Target, Task,
    Verdict,
};

type Says = fn() -> Verdict;

/// Gives a fixed verdict.
struct Fake {
    name: &'static str,
    says: Says,
    started: Arc<Mutex<Vec<&'static str>>>,
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, _: &Task<'_>, _: &Budget, _: &mut dyn Observer) -> Result<Outcome, EngineError> {
        self.started.lock().expect("no thread panics").push(self.name);
        let mut ledger = Ledger::default();
        ledger.assume(AssumptionKind::Environment, Direction::Over, self.name, "is run", Span::NONE);
        let verdict = (self.says)();
        Ok(Outcome {
            condition: Condition::of(&verdict),
            verdict,
            ledger,
            statistics: vec![(Statistic::Runs, u64::from(self.name.as_bytes()[0]))],
        })
    }
}

fn violated() -> Verdict {
    Verdict::Violated { target: Target::Race, trace: Trace::default() }
}

fn open() -> Verdict {
    Verdict::Open(Reason::CannotProve)
}

fn late() -> Verdict {
    Verdict::Open(Reason::Count("runs"))
}

/// The outcome, and which engines were run.
fn run(engines: &[(&'static str, Says)]) -> (Outcome, Vec<&'static str>) {
    let started = Arc::new(Mutex::new(Vec::new()));
    let fake = |(name, says): &(&'static str, Says)| -> Box<dyn Engine> {
        Box::new(Fake { name, says: *says, started: started.clone() })
    };
    let mut sequence = Sequence { name: "both", engines: engines.iter().map(fake).collect() };
    let (program, facts) = (nothing(), SharedFacts::default());
    let task = Task {
        program: &program,
        targets: Property::NoDataRace.targets(),
        specification: None,
        facts: &facts,
        condition: None,
    };
    let outcome = sequence.run(&task, &Budget::unlimited(), &mut Silent).expect("nothing fails");
    (outcome, std::mem::take(&mut *started.lock().expect("no thread panics")))
}

fn nothing() -> Program {
    Program {
        machine: Machine { pointer_bits: 64 },
        types: Types::default(),
        globals: IndexVec::default(),
        functions: IndexVec::default(),
        entry: FunctionId::from_usize(0),
        main: FunctionId::from_usize(0),
        ledger: Ledger::default(),
        sources: SourceMap::new(),
    }
}

fn subjects(ledger: &Ledger) -> Vec<&str> {
    ledger.entries().iter().map(|entry| entry.subject.as_str()).collect()
}

#[test]
fn the_first_verdict_ends_the_sequence() {
    let (outcome, started) = run(&[("a", open), ("b", violated), ("c", open)]);
    assert!(matches!(outcome.verdict, Verdict::Violated { .. }) && outcome.condition.is_empty());
    assert_eq!(started, ["a", "b"]);
    assert_eq!(subjects(&outcome.ledger), ["b"], "who has no verdict assumes nothing for it");
    assert_eq!(outcome.statistics, [(Statistic::Runs, u64::from(b'a')), (Statistic::Runs, u64::from(b'b'))]);
}

#[test]
fn without_a_verdict_every_reason_is_kept() {
    let (outcome, started) = run(&[("a", open), ("b", late)]);
    assert_eq!(started, ["a", "b"]);
    assert_eq!(subjects(&outcome.ledger), ["a", "b"]);
    let Verdict::Open(reason) = outcome.verdict else { panic!("no engine had a verdict") };
    assert_eq!(reason, Reason::Each(vec![("a", Reason::CannotProve), ("b", Reason::Count("runs"))]));
}

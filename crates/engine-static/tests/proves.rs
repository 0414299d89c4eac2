//! Proofs pass the check and exclude what they are about; where too little is known, the engine says so.

use std::time::Duration;

use base::{Budget, Limit};
use engine_static::StaticEngine;
use verify::{Engine, Property, Reason, SharedFacts, Silent, Task, Verdict};

/// `Ok` if proved and the proof passes the check.
fn prove(text: &str, property: Property, budget: &Budget) -> Result<(), Reason> {
    let program = testing::program(text);
    let facts = SharedFacts::default();
    let task =
        Task { program: &program, targets: property.targets(), specification: None, facts: &facts, condition: None };
    let outcome = StaticEngine.run(&task, budget, &mut Silent).expect("the engine does not fail");
    match outcome.verdict {
        Verdict::Holds(proof) => {
            certify::check(&program, task.targets, None, &proof).expect("the proof passes");
            Ok(())
        }
        Verdict::Open(reason) => Err(reason),
        Verdict::Violated { .. } => panic!("the engine finds no violation"),
    }
}

const THREADS: &str = "typedef unsigned long pthread_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n";

#[test]
fn one_thread_does_not_race() {
    assert_eq!(prove("int x; int main(void) { return x++; }", Property::NoDataRace, &Budget::unlimited()), Ok(()));
}

#[test]
fn a_race_is_not_excluded() {
    let text = format!(
        "{THREADS} int x; void *f(void *p) {{ x = 1; return p; }}\n\
        int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); return x; }}"
    );
    assert!(prove(&text, Property::NoDataRace, &Budget::unlimited()).is_err());
}

#[test]
fn an_endless_run_is_not_excluded() {
    let text = "int main(void) { for (;;) ; }";
    assert!(prove(text, Property::Termination, &Budget::unlimited()).is_err());
}

#[test]
fn of_a_model_that_lacks_behaviours_nothing_is_proved() {
    let text = "int raise(int); int main(void) { return raise(2); }";
    let reason = prove(text, Property::NoDataRace, &Budget::unlimited());
    assert_eq!(reason, Err(Reason::LeftOut("raise".into())));
}

#[test]
fn limits_are_respected() {
    let none = Budget::unlimited().with_time(Duration::ZERO);
    let reason = prove("int main(void) { return 0; }", Property::NoDataRace, &none);
    assert_eq!(reason, Err(Reason::Limit(Limit::Time)));
}

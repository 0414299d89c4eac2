//! Limits hold: whatever a step does, a search ends soon after its budget.

mod support;

use std::time::Duration;

use base::{Budget, Limit};
use engine_cpa::{CpaEngine, Options};
use program::Program;
use verify::{Engine, Reason, SharedFacts, Silent, Target, Targets, Task, Verdict};

/// One thread only, and no loop: all of a long path is one step.
const ENDLESS: &str = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";

/// The product of two unknown numbers, and what is left of it.
const PRODUCT: &str = "unsigned __VERIFIER_nondet_uint(void); void reach_error(void);\n\
    int main(void) {\n\
        unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n\
        if (a * b == 3 && a % b == 5) reach_error();\n\
        return 0;\n\
    }";

/// Larger than what can be listed.
const HUGE: &str = "struct { int *p; int n; } records[1 << 24]; int numbers[1 << 28]; int *pointers[1 << 24];\n\
    void reach_error(void);\n\
    int main(void) {\n\
        numbers[5] = 1;\n\
        if (pointers[7] != 0) reach_error();\n\
        return records[3].n;\n\
    }";

fn engines() -> [CpaEngine; 3] {
    let options = Options { always: true, ..Options::default() };
    [CpaEngine::value(options.clone()), CpaEngine::interval(options.clone()), CpaEngine::bdd(options)]
}

fn verdict(engine: &mut CpaEngine, program: &Program, budget: &Budget) -> Verdict {
    let targets: Targets = [Target::Error].into_iter().collect();
    let task = Task { program, targets, facts: &SharedFacts::default(), specification: None, condition: None };
    engine.run(&task, budget, &mut Silent).expect("this engine does not fail").verdict
}

#[test]
fn a_budget_that_is_used_up_ends_the_search_at_once() {
    let nothing = Budget::unlimited().with_time(Duration::ZERO);
    for text in [ENDLESS, PRODUCT] {
        let program = testing::program(text);
        for mut engine in engines() {
            let verdict = verdict(&mut engine, &program, &nothing);
            let is_limit = |reason: &Reason| *reason == Reason::Limit(Limit::Time);
            let is_expected = match &verdict {
                Verdict::Open(Reason::Partly(reason, _)) => is_limit(reason),
                Verdict::Open(reason) => is_limit(reason),
                _ => false,
            };
            assert!(is_expected, "{}: {verdict:?}", engine.name());
        }
    }
}

#[test]
fn huge_objects_are_not_listed() {
    let program = testing::program(HUGE);
    for mut engine in engines() {
        let verdict = verdict(&mut engine, &program, &Budget::unlimited());
        assert!(matches!(verdict, Verdict::Holds(_)), "{}: {verdict:?}", engine.name());
    }
}

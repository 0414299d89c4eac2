//! A run counts against a specification only if its last step, and none before it, leads to an error state.

use certify::confirm_specification;
use program::Program;
use semantics::{Machine, Recorded, ThreadId, Trace, TraceStep};
use spec::Automaton;

const PROGRAM: &str = "int x; void f(int v) { x = v; } int main(void) { f(1); f(2); return 0; }";

fn automaton(program: &Program, transition: &str) -> Automaton {
    let text = format!("automaton a {{ initial state s {{ {transition} }} }}");
    let trees = spec::parse(&text, 1).expect("it is well written");
    spec::resolve(&trees[0], program, &|_| false).expect("its names are known")
}

/// There is one thread, and nothing to choose.
fn only_run(machine: &Machine<'_>) -> Trace {
    let mut environment = Recorded::new(&[]);
    let mut state = machine.initial(&mut environment);
    let mut trace = Trace::default();
    loop {
        let edge = machine.next(&state, ThreadId(0)).edge().expect("it can go on");
        trace.steps.push(TraceStep { thread: ThreadId(0), edge, choices: Vec::new() });
        if machine.step(&mut state, ThreadId(0), edge, &mut environment).ending.is_some() {
            return trace;
        }
    }
}

#[test]
fn the_last_step_must_lead_to_the_error() {
    let program = testing::program(PROGRAM);
    let machine = Machine::new(&program);
    let whole = only_run(&machine);
    let first = |steps: usize| Trace { start: whole.start.clone(), steps: whole.steps[..steps].to_vec() };
    let confirmed = |automaton: &Automaton| {
        let steps = 0..=whole.steps.len();
        steps.filter(|steps| confirm_specification(&machine, automaton, &first(*steps)).is_ok()).collect::<Vec<_>>()
    };
    let on = |transition: &str| confirmed(&automaton(&program, transition));
    assert_eq!(on("on call f(2) goto error \"e\";").len(), 1);
    assert_eq!(on("when x == 2 goto error \"e\";").len(), 1);
    assert_eq!(on("when x == 0 goto error \"e\";"), [0], "before the first step");
    assert_eq!(on("on end goto error \"e\";"), [whole.steps.len()]);
    assert_eq!(on("on call f(3) goto error \"e\";"), [0; 0]);
    let early = automaton(&program, "on call f(1) goto error \"e\";");
    let error = confirm_specification(&machine, &early, &whole).expect_err("it is reached before");
    assert!(error.contains("before the last step"), "{error}");
}

//! What an event does to a configuration if the state is known, if it is known in part, and if nothing is.

mod support;

use std::collections::BTreeMap;

use program::{EdgeId, FunctionId, Op, Program};
use semantics::ThreadId;
use spec::{Automaton, Configuration, Event, Known, Look, Moment, Place, Slot};
use support::{automaton, program};

/// Knows the values of some expressions and globals, by what they are written as.
#[derive(Default)]
struct Knows {
    exprs: BTreeMap<u32, u128>,
    global: Option<u128>,
}

impl Look for Knows {
    fn value(&self, place: Place) -> Option<Known> {
        match place {
            Place::Expr(expr) => self.exprs.get(&expr.0).copied().map(Known::Number),
            Place::Global { .. } => self.global.map(Known::Number),
            Place::Local(_) => None,
        }
    }
}

const PROGRAM: &str = "int x; void use(int v) { x = v; } void drop(int v) { x = 0; }\n\
    int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); use(a); drop(b); return 0; }";

const PROTOCOL: &str = "automaton a for each $v { initial state new { on call use($v) goto used; } \
    state used { on call drop($v) goto dropped; on call use($v) when x > 0 goto error \"e\"; } \
    state dropped { on call use($v) goto error \"used again\"; } }";

/// The edge of `main` that calls a function, and the number of its argument.
fn call(program: &Program, name: &str) -> (FunctionId, EdgeId, u32) {
    let main = &program.functions[program.main];
    let found = main.edges.iter_enumerated().find_map(|(id, edge)| match &edge.op {
        Op::Call(call) => match call.callee {
            program::Callee::Direct(callee) if *program.functions[callee].name == *name => Some((id, call.args[0].0)),
            _ => None,
        },
        _ => None,
    });
    let (edge, argument) = found.expect("main calls it");
    (program.main, edge, argument)
}

struct Scene {
    program: Program,
    automaton: Automaton,
}

impl Scene {
    fn new(text: &str) -> Scene {
        let program = program(PROGRAM);
        let automaton = automaton(text, &program).unwrap_or_else(|error| panic!("{error}"));
        Scene { program, automaton }
    }

    /// Thread 0 calls a function with a value, or with one that nobody knows; `x` has a value or not.
    fn call(&self, configuration: &Configuration, name: &str, value: Option<u128>, x: Option<u128>) -> Configuration {
        let (function, edge, argument) = call(&self.program, name);
        let event = Event { thread: ThreadId(0), moment: Moment::Before(function, edge) };
        let look = Knows { exprs: value.map(|value| (argument, value)).into_iter().collect(), global: x };
        self.automaton.advance(&self.program, configuration, &event, &look)
    }

    /// `state(value)` with a question mark if it is not certain.
    fn text(&self, configuration: &Configuration) -> String {
        let elements = configuration.elements().iter().map(|element| {
            let slot = |slot: &Slot| match slot {
                Slot::Bound(Known::Number(number)) => number.to_string(),
                Slot::Bound(Known::Place(_) | Known::Gone) => "place".to_owned(),
                Slot::Unknown => "unknown".to_owned(),
                Slot::Free => "free".to_owned(),
            };
            let slots: Vec<_> = element.slots.iter().map(slot).collect();
            let name = &self.automaton.states[usize::from(element.state.0)].name;
            format!("{name}({}){}", slots.join(", "), if element.certain { "" } else { "?" })
        });
        elements.collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn with_full_knowledge_each_value_has_one_state() {
    let scene = Scene::new(PROTOCOL);
    let start = scene.automaton.start();
    assert_eq!(scene.text(&start), "");
    let one = scene.call(&start, "use", Some(1), Some(0));
    let two = scene.call(&one, "use", Some(2), Some(0));
    assert_eq!(scene.text(&two), "used(1) used(2)");
    let dropped = scene.call(&two, "drop", Some(1), Some(0));
    assert_eq!(scene.text(&dropped), "dropped(1) used(2)");
    assert_eq!(scene.text(&scene.call(&dropped, "drop", Some(3), Some(0))), "dropped(1) used(2)");
    let error = scene.call(&dropped, "use", Some(1), Some(0));
    assert!(error.error(&scene.automaton).is_some_and(|element| element.certain));
    assert!(dropped.error(&scene.automaton).is_none());
}

#[test]
fn what_is_not_known_goes_both_ways() {
    let scene = Scene::new(PROTOCOL);
    let one = scene.call(&scene.automaton.start(), "use", Some(1), Some(0));
    let maybe = scene.call(&one, "drop", None, Some(0));
    assert_eq!(scene.text(&maybe), "used(1)? dropped(1)?");
    let condition = scene.call(&one, "use", Some(1), None);
    assert_eq!(scene.text(&condition), "used(1)? error(1)?");
    assert!(condition.error(&scene.automaton).is_some_and(|element| !element.certain));
    let unknown = scene.call(&one, "use", None, Some(0));
    assert_eq!(scene.text(&unknown), "used(unknown)? used(1)", "x is not positive, so 1 stays where it is");
    let later = scene.call(&unknown, "drop", Some(5), Some(0));
    assert_eq!(scene.text(&later), "used(unknown)? dropped(unknown)? used(1)", "the unknown one may be 5");
}

#[test]
fn more_knowledge_gives_a_part_of_what_less_gives() {
    let scene = Scene::new(PROTOCOL);
    let states = |configuration: &Configuration| configuration.elements().iter().map(|e| e.state).collect::<Vec<_>>();
    let one = scene.call(&scene.automaton.start(), "use", Some(1), Some(0));
    for (name, x) in [("use", 0), ("use", 1), ("drop", 0)] {
        let known = scene.call(&one, name, Some(1), Some(x));
        let less = scene.call(&one, name, Some(1), None);
        assert!(states(&known).iter().all(|state| states(&less).contains(state)), "{name} with x = {x}");
    }
}

#[test]
fn several_transitions_are_all_taken() {
    let scene = Scene::new(
        "automaton a { initial state s { on call use($v) goto s; on call use($v) goto t; } \
         state t { on call drop($v) goto error \"e\"; } }",
    );
    let start = scene.automaton.start();
    let both = scene.call(&start, "use", Some(1), Some(0));
    assert_eq!(scene.text(&both), "s(1) t(1)");
    assert_eq!(scene.text(&scene.call(&both, "drop", Some(2), Some(0))), "s(1) t(1)");
    let error = scene.call(&both, "drop", Some(1), Some(0));
    assert_eq!(scene.text(&error), "s(1) error(1)");
}

#[test]
fn an_instance_that_is_as_new_is_forgotten() {
    let scene = Scene::new(
        "automaton a for each $v { initial state s { on call use($v) goto t; } \
         state t { on call drop($v) goto s; on call use($v) goto error \"e\"; } }",
    );
    let start = scene.automaton.start();
    let used = scene.call(&start, "use", Some(1), Some(0));
    assert_eq!(scene.call(&used, "drop", Some(1), Some(0)), start);
    let maybe = scene.call(&used, "drop", None, Some(0));
    assert_eq!(scene.text(&maybe), "s(1)? t(1)?", "both ways are kept while they differ");
}

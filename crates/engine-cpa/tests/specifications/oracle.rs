//! Every run of a program with an automaton beside it: what engines are compared with. Naive on purpose.

use rustc_hash::FxHashSet;
use semantics::{Ending, Machine, State, for_each_choice};
use spec::{Automaton, Configuration, Monitor};

/// What all runs show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// A run leads to an error.
    pub found: bool,
    /// All states were seen, and all that happens in them is understood.
    pub complete: bool,
}

/// Stops at the first error.
pub fn search(machine: &Machine<'_>, automaton: &Automaton, inputs: &[i64], most_states: usize) -> Answer {
    let mut seen: FxHashSet<(State, Configuration)> = FxHashSet::default();
    let (mut stack, mut found, mut complete) = (Vec::new(), false, true);
    for_each_choice(inputs, |choices| {
        let state = machine.initial(choices);
        let monitor = Monitor::new(machine, automaton, &state);
        found |= monitor.reached().is_some();
        stack.push((state, monitor));
    });
    while let Some((state, monitor)) = stack.pop() {
        if found || seen.len() > most_states {
            return Answer { found, complete: false };
        }
        if !seen.insert((state.clone(), monitor.configuration().clone())) {
            continue;
        }
        for (thread, edge) in machine.runnable(&state) {
            let mut monitor = monitor.clone();
            monitor.before(&state, thread, edge);
            found |= monitor.reached().is_some();
            for_each_choice(inputs, |choices| {
                let mut next = state.clone();
                let effects = machine.step(&mut next, thread, edge, choices);
                complete &= !matches!(effects.ending, Some(Ending::Limit(_) | Ending::Unsupported(_)));
                if effects.ending.is_none() {
                    let mut monitor = monitor.clone();
                    monitor.after(&next, &effects);
                    found |= monitor.reached().is_some();
                    stack.push((next, monitor));
                }
            });
        }
    }
    Answer { found, complete }
}

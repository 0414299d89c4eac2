//! Movers by their definition: the steps are swapped, and the states compared.

use facts::blocks::{Circumstances, Mover, edge_kind};
use program::{EdgeId, Op};
use rustc_hash::FxHashSet;
use semantics::{Machine, State, ThreadId, canonical, for_each_choice};

use crate::observed::Observed;

/// Tries every pair of steps of different threads from a state. The number of pairs, or one that does not swap as it should.
pub fn check(machine: &Machine<'_>, observed: &Observed<'_>, inputs: &[i64], state: &State) -> Result<usize, String> {
    let mut tried = 0;
    for (first, edge) in machine.runnable(state) {
        for middle in after(machine, inputs, state, first, edge) {
            for (second, other) in machine.runnable(&middle).into_iter().filter(|(thread, _)| *thread != first) {
                let right = kind(machine, observed, state, first, edge).moves_right();
                let left = kind(machine, observed, &middle, second, other).moves_left();
                if !right && !left {
                    continue;
                }
                tried += 1;
                let there = both(machine, inputs, state, (first, edge), (second, other));
                let back = both(machine, inputs, state, (second, other), (first, edge));
                if !there.is_subset(&back) {
                    let text = |state: &State, thread, edge| format!("{:?}", machine.edge(state, thread, edge).op);
                    return Err(format!(
                        "{first} {} (right: {right}), then {second} {} (left: {left}), do not swap",
                        text(state, first, edge),
                        text(&middle, second, other)
                    ));
                }
            }
        }
    }
    Ok(tried)
}

/// Without what atomic sections add: inside one, no other thread makes a step.
fn kind(machine: &Machine<'_>, observed: &Observed<'_>, state: &State, thread: ThreadId, edge: EdgeId) -> Mover {
    let function = state.frame(thread).function;
    let op = &machine.function(function).edges[edge].op;
    match edge_kind(op, observed.is_contended(function, edge)) {
        Mover::Both if *op == Op::Return && state.thread(thread).frames.len() == state.thread(thread).left + 1 => {
            Mover::Left
        }
        kind => kind,
    }
}

/// The states after a step that does not end the run.
fn after(machine: &Machine<'_>, inputs: &[i64], state: &State, thread: ThreadId, edge: EdgeId) -> Vec<State> {
    let mut states = Vec::new();
    for_each_choice(inputs, |choices| {
        let mut next = state.clone();
        if machine.step(&mut next, thread, edge, choices).ending.is_none() {
            states.push(next);
        }
    });
    states
}

fn both(
    machine: &Machine<'_>,
    inputs: &[i64],
    state: &State,
    first: (ThreadId, EdgeId),
    second: (ThreadId, EdgeId),
) -> FxHashSet<State> {
    if !machine.runnable(state).contains(&first) {
        return FxHashSet::default();
    }
    let middle = after(machine, inputs, state, first.0, first.1);
    let middle = middle.iter().filter(|middle| machine.runnable(middle).contains(&second));
    middle.flat_map(|middle| after(machine, inputs, middle, second.0, second.1)).map(canonical).collect()
}

//! Movers by their definition: the steps are swapped, and the states compared. Atomic sections keep nobody out here: a step moves
//! past the whole of another thread's section, so it must move past each of its steps.

use base::Idx;
use facts::blocks::{Circumstances, Mover, edge_kind};
use program::{EdgeId, Op};
use rustc_hash::FxHashSet;
use semantics::{Machine, State, ThreadId, canonical, for_each_choice};

/// Tries every pair of steps of different threads from a state. The number of pairs, or one that does not swap as it should.
pub fn check(
    machine: &Machine<'_>,
    circumstances: &dyn Circumstances,
    inputs: &[i64],
    state: &State,
) -> Result<usize, String> {
    let mut tried = 0;
    for (first, edge) in possible(machine, state) {
        for middle in after(machine, inputs, state, first, edge) {
            // The first step of a thread has nothing to move to: what it must not pass is the thread's creation.
            let others = possible(machine, &middle).filter(|(thread, _)| *thread != first);
            for (second, other) in others.filter(|(thread, _)| thread.index() < state.threads.len()) {
                let right = kind(machine, circumstances, state, first, edge).moves_right();
                let left = kind(machine, circumstances, &middle, second, other).moves_left();
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

fn possible(machine: &Machine<'_>, state: &State) -> impl Iterator<Item = (ThreadId, EdgeId)> {
    state.thread_ids().filter_map(|thread| Some((thread, machine.next(state, thread).edge()?)))
}

fn kind(
    machine: &Machine<'_>,
    circumstances: &dyn Circumstances,
    state: &State,
    thread: ThreadId,
    edge: EdgeId,
) -> Mover {
    let function = state.frame(thread).function;
    let op = &machine.function(function).edges[edge].op;
    match edge_kind(op, circumstances.is_contended(function, edge)) {
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
            next.atomic = None;
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
    let can = |state: &State, step: (ThreadId, EdgeId)| machine.next(state, step.0).edge() == Some(step.1);
    if !can(state, first) {
        return FxHashSet::default();
    }
    let middle = after(machine, inputs, state, first.0, first.1);
    let middle = middle.iter().filter(|middle| can(middle, second));
    middle.flat_map(|middle| after(machine, inputs, middle, second.0, second.1)).map(canonical).collect()
}

//! A step made in place is the step: threads and memory come to the one state that the step leads to otherwise, and taken back, it
//! leaves nothing.

use std::collections::BTreeSet;

use analyses::memory::{self, Memory};
use analyses::system::SystemState;
use analyses::{Post, Reduction, States, System, Threads};
use program::Program;

/// So many steps were made in place, out of so many.
#[derive(Default, Debug)]
pub struct Tally {
    pub in_place: u64,
    pub steps: u64,
}

/// Looks at some states that are reached first.
pub fn check(program: &Program, most_states: usize, tally: &mut Tally) -> Result<(), String> {
    let (threads, data) = (Threads::new(program), Memory::new(program, memory::Options::default()));
    let mut system = System::new(program, threads, data, Reduction::None, None);
    let Ok((mut initial, _)) = system.initial() else { return Ok(()) };
    let first = system.both.store(&mut initial);
    let (mut seen, mut work) = (BTreeSet::from([first]), vec![first]);
    while let Some(key) = work.pop().filter(|_| seen.len() < most_states) {
        let mut state = system.both.load(key);
        let Ok(next) = system.next(&state) else { continue };
        for thread in system.enabled(&state, &next) {
            tally.steps += 1;
            let expected = successors(&mut system, &state, &next[thread], thread);
            if let Some(made) = system.advance(&mut state, thread, &next[thread]) {
                tally.in_place += 1;
                let reached = system.both.store(&mut state.clone());
                let is_step = expected.as_deref() == Some(&[(reached, made.step.control)]);
                if !is_step || made.keeps_names && system.store_named(&mut state) != reached {
                    return Err(format!("{:?} in place leads elsewhere", made.step));
                }
                system.take_back(&mut state, made);
                if system.store_named(&mut state) != key {
                    return Err(format!("a step of {thread} is not taken back"));
                }
            }
            for (key, _) in expected.unwrap_or_default() {
                if seen.insert(key) {
                    work.push(key);
                }
            }
        }
    }
    Ok(())
}

type Key = analyses::system::Key<Memory<'static>>;

/// Where the steps of a thread lead to; `None` if they have other results than successors.
fn successors<'p>(
    system: &mut System<'p, Memory<'p>>,
    state: &SystemState<Memory<'p>>,
    next: &analyses::threads::Next,
    thread: usize,
) -> Option<Vec<(Key, analyses::Control)>> {
    let mut post = Post::default();
    for edge in next.edges().into_iter().flat_map(|edges| edges.iter()) {
        system.step(state.clone(), thread as u32, edge, &mut post).ok()?;
    }
    let is_plain = post.findings.is_empty() && !post.ends && post.missing.is_none();
    let reached = post.successors.into_iter().map(|(mut state, step)| (system.both.store(&mut state), step.control));
    let reached: Vec<_> = reached.collect();
    is_plain.then_some(reached)
}

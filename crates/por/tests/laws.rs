//! The effects that are said to remain for a thread are true of the rest of its runs: random programs are run, and whatever a thread does is
//! looked up in the effects that remained for it before. Steps that are called independent are swapped.
//!
//! `HEDDLE_RANDOM_PROGRAMS=5000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start.

mod support;

use std::ops::Range;

use base::Idx;
use por::{Action, View, dependent};
use program::Program;
use semantics::{Machine, Random, State, ThreadId, canonical};
use testing::generate::GenerateOptions;

use support::{First, Guesses, Manner, Watch, facts_of};

const RUNS: u64 = 4;
const LONGEST: usize = 250;

/// Programs that facts are tested with.
#[test]
fn futures_hold_in_listed_programs() {
    let folders = ["tests/programs", "crates/facts/tests/agreement/programs"];
    let paths: Vec<_> = folders.iter().flat_map(|folder| testing::files(folder)).collect();
    let seen = sum(testing::on_files(&paths, |_, listed| check_runs(&listed.program, 0..5 * RUNS)));
    assert!(seen.conflicts > 1000, "{seen:?}");
}

#[test]
fn futures_hold_in_random_programs() {
    let large = GenerateOptions { threads: 4, statements: 9, depth: 3, features: 8 };
    let options = |seed| GenerateOptions::small_or_large(seed, &large);
    let all =
        testing::on_random_programs(400, options, |seed, program| check_runs(program, seed * RUNS..(seed + 1) * RUNS));
    let (count, seen) = (all.len() as u64, sum(all));
    println!("{seen:?}");
    // The test must be able to fail.
    assert!(seen.conflicts > count && seen.enabled > count / 4 && seen.swapped > count && seen.apart > count);
}

fn check_runs(program: &Program, mut runs: Range<u64>) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let Some(facts) = facts_of(program) else { return Ok(seen) };
    let mut watch = Watch::new(program, &facts, Manner::Plain);
    runs.try_for_each(|run| check(&mut watch, run, &mut seen)).map(|()| seen)
}

/// What was looked at.
#[derive(Default, Debug)]
struct Seen {
    conflicts: u64,
    enabled: u64,
    swapped: u64,
    /// Says that nothing is dependent.
    apart: u64,
}

fn sum(all: Vec<Seen>) -> Seen {
    all.into_iter().fold(Seen::default(), |sum, one| Seen {
        conflicts: sum.conflicts + one.conflicts,
        enabled: sum.enabled + one.enabled,
        swapped: sum.swapped + one.swapped,
        apart: sum.apart + one.apart,
    })
}

/// One state of a run, and whose step left it.
struct Moment {
    views: Vec<View>,
    moved: usize,
}

/// One random run.
fn check(watch: &mut Watch<'_>, seed: u64, seen: &mut Seen) -> Result<(), String> {
    let mut choices = Guesses(Random::new(seed));
    let mut state = watch.machine.initial(&mut choices);
    let mut sites = watch.first_sites(&state);
    let mut past: Vec<Moment> = Vec::new();
    // Who created each thread.
    let mut parents = vec![0];
    let mut last = None;
    for _ in 0..LONGEST {
        let views = watch.views(&state, &sites);
        let steps = watch.machine.runnable(&state);
        look_at_enabled(watch, &past, &views, seen)?;
        if steps.is_empty() || state.threads.len() > 12 {
            break;
        }
        swap(&watch.machine, &state, &views, seen)?;
        let same = steps.iter().find(|(thread, _)| Some(*thread) == last).filter(|_| seed.is_multiple_of(2));
        let (thread, edge) = match same {
            Some(step) if !choices.0.once_in(4) => *step,
            _ => *choices.0.pick(&steps),
        };
        last = Some(thread);
        past.push(Moment { views, moved: thread.index() });
        look_at_step(watch, &past, &parents, thread.index(), seen)
            .map_err(|problem| format!("{problem}\n  at {:?}", watch.machine.edge(&state, thread, edge).op))?;
        let before = state.clone();
        if watch.machine.step(&mut state, thread, edge, &mut choices).ending.is_some() {
            break;
        }
        watch.follow(&mut sites, &before, &state, (thread, edge));
        while parents.len() < state.threads.len() {
            parents.push(thread.index());
        }
    }
    Ok(())
}

/// A thread makes a step: whoever's next step depended on it must have known.
fn look_at_step(
    watch: &mut Watch<'_>,
    past: &[Moment],
    parents: &[usize],
    thread: usize,
    seen: &mut Seen,
) -> Result<(), String> {
    let now = past.last().expect("there is a step");
    let step = &now.views[thread].action;
    for other in (0..now.views.len()).filter(|other| *other != thread) {
        for (at, moment) in past.iter().enumerate().rev() {
            if at + 1 < past.len() && moment.moved == other || other >= moment.views.len() {
                break;
            }
            let View { action, enabled: true, .. } = &moment.views[other] else { continue };
            // One that did not exist then is what its creator will do.
            let mut doer = thread;
            while doer >= moment.views.len() {
                doer = parents[doer];
            }
            if doer == other || !are_at_odds(action, step) {
                seen.apart += 1;
                continue;
            }
            seen.conflicts += 1;
            if !watch.remaining.conflicts(action, moment.views[doer].remaining) {
                return Err(format!("T{other} at {action:?} did not know that T{thread} would do {step:?}"));
            }
        }
    }
    Ok(())
}

/// As it is, not as it may be.
fn are_at_odds(a: &Action, b: &Action) -> bool {
    let plain = |action: &Action| matches!(action, Action::Does { .. });
    plain(a) && plain(b) && dependent(a, b)
}

/// Threads that can go on now and could not before: somebody must have moved who was known to be able to let them.
fn look_at_enabled(watch: &mut Watch<'_>, past: &[Moment], views: &[View], seen: &mut Seen) -> Result<(), String> {
    for (thread, view) in views.iter().enumerate().filter(|(_, view)| view.enabled) {
        let mut movers: Vec<usize> = Vec::new();
        for moment in past.iter().rev() {
            let Some(before) = moment.views.get(thread).filter(|before| !before.enabled) else { break };
            movers.push(moment.moved);
            seen.enabled += 1;
            let known = !before.waits_for.is_empty();
            let mut helps = |mover: usize| {
                // Threads that came later were created by somebody.
                mover >= moment.views.len()
                    || before.waits_for.contains(&mover)
                    || watch.remaining.may_enable(&before.action, known, moment.views[mover].remaining)
            };
            if !movers.iter().any(|mover| helps(*mover)) {
                return Err(format!("who let T{thread} go on, from {:?} to {:?}?", before.action, view.action));
            }
        }
    }
    Ok(())
}

/// Independent steps of two threads lead to the same state in both orders.
fn swap(machine: &Machine<'_>, state: &State, views: &[View], seen: &mut Seen) -> Result<(), String> {
    let in_section = |action: &Action| matches!(action, Action::Section(..) | Action::Everything);
    if state.atomic.is_some() || state.addresses_seen {
        return Ok(());
    }
    for a in 0..views.len() {
        for b in a + 1..views.len() {
            let (x, y) = (&views[a], &views[b]);
            let both = x.enabled && y.enabled && !in_section(&x.action) && !in_section(&y.action);
            if !both || dependent(&x.action, &y.action) {
                continue;
            }
            seen.swapped += 1;
            let one = in_order(machine, state, [a, b])?;
            let other = in_order(machine, state, [b, a])?;
            if one.is_some() && one != other {
                return Err(format!("T{a} and T{b} do not commute: {:?} and {:?}", x.action, y.action));
            }
        }
    }
    Ok(())
}

/// `None` if the state cannot be compared.
fn in_order(machine: &Machine<'_>, state: &State, threads: [usize; 2]) -> Result<Option<State>, String> {
    let mut state = state.clone();
    for thread in threads.map(ThreadId::from_usize) {
        let next = machine.next(&state, thread);
        let Some(edge) = next.edge() else { return Err(format!("{thread} is kept from its step")) };
        let effects = machine.step(&mut state, thread, edge, &mut First);
        if let Some(ending) = effects.ending {
            return Err(format!("the step of {thread} ends the run: {ending:?}"));
        }
    }
    Ok((!state.addresses_seen).then(|| canonical(state)))
}

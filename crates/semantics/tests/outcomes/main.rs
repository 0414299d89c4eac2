//! The programs in `tests/programs`: the explorer finds exactly the outcomes of their headers, its traces replay, and
//! the compiled program shows no other outcome. `tests/programs/README.md` explains headers.
//!
//! `HEDDLE_PROGRAM=mutex` takes only files whose names contain that; `HEDDLE_NATIVE_RUNS=200` sets how often each compiled program
//! runs.

mod listing;
mod native;

use std::collections::BTreeSet;
use std::path::Path;

use listing::{Listing, describe, shown};
use program::Program;
use semantics::{Exploration, Limits, Machine, Outcome, Replay, Trace, live_blocks, lost_block};
use testing::{files, name, number};

/// More states than any of the programs should have.
const MOST_STATES: usize = 400_000;

#[test]
fn explorer_finds_the_listed_outcomes() {
    let states = testing::on_files(&files("tests/programs"), |path, listed| explore(path, &listed.program));
    println!("{} programs, {} states", states.len(), states.iter().sum::<usize>());
}

#[test]
fn compiled_programs_show_only_listed_outcomes() {
    let runs = number("HEDDLE_NATIVE_RUNS", 5);
    let folder = std::env::temp_dir().join(format!("heddle-outcomes-{}", std::process::id()));
    let checked = testing::for_each(&files("tests/programs"), |path| {
        let folder = folder.join(name(path));
        std::fs::create_dir_all(&folder).unwrap();
        let checked = listing_of(path).and_then(|listing| native::check(path, &listing, &folder, runs));
        checked.map_err(|message| format!("{}: {message}", name(path)))
    });
    std::fs::remove_dir_all(&folder).unwrap();
    testing::all_right(checked);
}

fn listing_of(path: &Path) -> Result<Listing, String> {
    Listing::read(&std::fs::read_to_string(path).map_err(|e| e.to_string())?)
}

/// The number of states, or what is wrong.
fn explore(path: &Path, program: &Program) -> Result<usize, String> {
    let listing = listing_of(path)?;
    let machine = Machine::new(program);
    let limits = Limits { inputs: listing.inputs.clone(), states: MOST_STATES, canonical: true };
    let canonical = machine.explore(&limits);
    if !canonical.complete {
        return Err(format!("more than {MOST_STATES} states"));
    }
    compare(&listing, &canonical)?;
    replays(&machine, &canonical)?;
    // Without canonical names a loop that makes objects has states without end.
    let limits = Limits { states: 1000 + 20 * canonical.states, canonical: false, ..limits };
    let all = machine.explore(&limits);
    compare(&listing, &all).map_err(|message| format!("states as they are: {message}"))?;
    replays(&machine, &all).map_err(|message| format!("states as they are: {message}"))?;
    Ok(canonical.states)
}

fn compare(listing: &Listing, exploration: &Exploration) -> Result<(), String> {
    let found: BTreeSet<String> = exploration.outcomes.keys().map(describe).collect();
    if found == listing.outcomes || !exploration.complete && found.is_subset(&listing.outcomes) {
        return Ok(());
    }
    let missing = listing.outcomes.difference(&found).cloned().collect();
    let unlisted = found.difference(&listing.outcomes).cloned().collect();
    Err(format!("not found: {}; not listed: {}", shown(&missing), shown(&unlisted)))
}

fn replays(machine: &Machine<'_>, exploration: &Exploration) -> Result<(), String> {
    for (outcome, trace) in &exploration.outcomes {
        let read = Trace::from_text(&trace.to_text()).map_err(|line| format!("trace, line {line}"))?;
        let replay = machine.replay(&read, |_, _| {}).map_err(|e| format!("{}: {e}", describe(outcome)))?;
        if !shows(machine, &replay, outcome) {
            return Err(format!("the trace of {} does not lead there", describe(outcome)));
        }
    }
    Ok(())
}

/// Does a run end with this outcome?
fn shows(machine: &Machine<'_>, replay: &Replay, outcome: &Outcome) -> bool {
    let Replay { state, output, last } = replay;
    match outcome {
        Outcome::Ended(_, printed) => {
            printed == output && (last.ending.is_some() || machine.runnable(state).is_empty())
        }
        Outcome::Lost => lost_block(state).is_some(),
        Outcome::NotFreed => live_blocks(state).next().is_some(),
        Outcome::Deadlock => machine.is_deadlock(state),
        Outcome::Race => machine.race(state).is_some(),
        Outcome::Undefined(kind) => last.ending == Some(semantics::Ending::Undefined(*kind)),
        Outcome::Unsupported(_) | Outcome::Limit(_) => last.ending.is_some(),
        _ => last.violations.iter().any(|violation| Outcome::of(*violation).as_ref() == Some(outcome)),
    }
}

//! Checks the evidence of a verdict without knowing who found it: a violation's run is repeated by the reference interpreter and
//! must reach its target; a proof is checked against the program and must exclude every target.

mod reached;

use base::{Alarm, Budget, Limit};
use facts::Facts;
use program::Program;
use semantics::{Machine, Replay, Trace};
use spec::{Automaton, Monitor, Reached};
use verify::{Coverage, Proof, Target, Targets, Visited, alarms};

/// Repeats a run and looks whether it ends in the target. The last step, or for races, deadlocks and lost memory the state
/// behind it, must be what the target says.
pub fn confirm(machine: &Machine<'_>, target: Target, trace: &Trace) -> Result<Replay, String> {
    let replay = machine.replay(trace, |_, _| {}).map_err(|error| error.to_string())?;
    match target.is_shown(machine, &replay.state, &replay.last) {
        true => Ok(replay),
        false => Err(format!("the run does not end in {}", target.describe())),
    }
}

/// Repeats a run beside the monitor automaton: the last step, and none before it, must lead to an error state.
pub fn confirm_specification(machine: &Machine<'_>, automaton: &Automaton, trace: &Trace) -> Result<Reached, String> {
    let mut monitor = None;
    let mut early = false;
    let replay = machine.replay_with_effects(trace, |state, i, effects| {
        let monitor = monitor.get_or_insert_with(|| Monitor::new(machine, automaton, state));
        monitor.after(state, effects);
        early |= monitor.reached().is_some();
        monitor.before(state, trace.steps[i].thread, trace.steps[i].edge);
    });
    let replay = replay.map_err(|error| error.to_string())?;
    let mut monitor = monitor.unwrap_or_else(|| Monitor::new(machine, automaton, &replay.state));
    monitor.after(&replay.state, &replay.last);
    match monitor.reached() {
        Some(_) if early => Err("the error state is reached before the last step".to_owned()),
        Some(reached) => Ok(reached.clone()),
        None => Err(format!("the run does not end in {}", Target::Specification.describe())),
    }
}

/// Why a proof does not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is none.
    Wrong(String),
    /// A limit was reached before all of it was looked at.
    Limit(Limit),
}

/// Does the proof hold for the program, and does it exclude each of the targets? A specification is meant by one of them.
pub fn check(
    program: &Program,
    targets: Targets,
    specification: Option<&Automaton>,
    proof: &Proof,
) -> Result<(), String> {
    check_until(program, targets, specification, proof, &Alarm::default()).map(|_| ())
}

/// The same within a budget. Gives what the proof covers.
pub fn check_within(
    program: &Program,
    targets: Targets,
    specification: Option<&Automaton>,
    proof: &Proof,
    budget: &Budget,
) -> Result<Coverage, Refused> {
    let alarm = Alarm::new(budget);
    let result = check_until(program, targets, specification, proof, &alarm);
    // When the time is over, the check may fail anywhere.
    result.map_err(|why| alarm.struck().map_or(Refused::Wrong(why), Refused::Limit))
}

fn check_until(
    program: &Program,
    targets: Targets,
    specification: Option<&Automaton>,
    proof: &Proof,
    alarm: &Alarm,
) -> Result<Coverage, String> {
    let visited = match proof {
        Proof::Facts(facts) => check_facts(program, targets, facts, alarm)?,
        Proof::Reached(certificate) => reached::check(program, targets, specification, &**certificate, alarm)?,
        Proof::Invariants(invariants) => return Err(unproved(invariants.check(program))),
        Proof::Tree(tree) => return Err(unproved(tree.check(program))),
        Proof::Outline(outline) => return Err(unproved(outline.check(program))),
    };
    Ok(Coverage::of(program, targets, specification, &visited))
}

/// Why a proof that holds formulas is refused: its form, or else that there is no checker of formulas.
fn unproved(form: Result<(), String>) -> String {
    match form {
        Ok(()) => "there is no solver to check its formulas with".to_owned(),
        Err(why) => format!("it is not well-formed: {why}"),
    }
}

fn check_facts(program: &Program, targets: Targets, facts: &Facts, alarm: &Alarm) -> Result<Visited, String> {
    facts::recheck_within(program, facts, alarm)?;
    let is_excluded = |target| alarms(program, facts, target, alarm).is_some_and(|alarms| alarms.is_empty());
    match targets.iter().find(|target| !is_excluded(*target)) {
        Some(target) => Err(format!("it does not exclude {}", target.describe())),
        None => Ok(visited_by(program, facts)),
    }
}

/// Where runs may come to by the facts.
fn visited_by(program: &Program, facts: &Facts) -> Visited {
    let mut visited = Visited::new(program);
    let function = |call_string| facts.tables.call_strings[call_string].function;
    for (node, _) in facts.reached() {
        visited.visit(function(node.call_string), node.location);
    }
    for (call_string, edge) in facts.creations() {
        visited.create(function(call_string), edge);
    }
    visited
}

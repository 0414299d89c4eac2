//! No verdict: what was tried, why that is no answer, what can be done.

use std::time::Duration;

use base::Limit;
use facts::Candidate;
use out::{Answer, Interleaving, Lines, RaceAlarm};
use program::{AssumptionKind, FunctionId, Location, Op, Program};
use semantics::Machine;
use verify::{Reason, SharedFacts, Statistic, Summary, Target};

use super::seconds;
use super::undefined::Shown;

/// `tried` is each engine with its reason, in order; the last one stands in the verdict.
pub fn unknown(
    program: &Program,
    tried: &[(&'static str, Reason)],
    alarms: Vec<RaceAlarm>,
    statistics: &[(Statistic, u64)],
    time: Duration,
    lines: Lines<'_>,
) -> Answer {
    let mut details: Vec<String> = searched(tried, statistics, time).into_iter().collect();
    details.extend(tried.iter().map(|(engine, reason)| format!("{engine}: {}", why(program, reason, alarms.len()))));
    if statistics.iter().any(|(name, _)| *name == Statistic::SearchesWithoutFacts) {
        details.push(
            "static facts could not be found, so all steps of all threads were explored (--reduction none)".into(),
        );
    }
    let last = tried.last().map(|(_, reason)| reason);
    if let Some(next) = last.map(next).filter(|next| !next.is_empty()) {
        details.push(format!("next: {next}"));
    }
    let interleaving = tried.iter().find_map(|(_, reason)| candidate(program, reason, lines));
    Answer::Unknown { reason: one_line(&last.map_or_else(String::new, short)), details, alarms, interleaving }
}

/// Accesses that may race, by the facts.
pub fn race_alarms(
    program: &Program,
    tried: &[(&'static str, Reason)],
    facts: &SharedFacts,
    lines: Lines<'_>,
) -> Vec<RaceAlarm> {
    let candidates = tried.iter().flat_map(|(_, reason)| match reason {
        Reason::Candidates(candidates) => candidates.as_slice(),
        _ => &[],
    });
    let candidates: Vec<Candidate> = candidates.cloned().collect();
    facts.known().map_or_else(Vec::new, |facts| out::race_alarms(program, &facts, &candidates, lines))
}

/// The run of a violation that may not exist. Those of specifications are not shown.
fn candidate(program: &Program, reason: &Reason, lines: Lines<'_>) -> Option<Interleaving> {
    match reason {
        Reason::Candidate(target, trace) if *target != Target::Specification => {
            out::interleaving(&Machine::new(program), trace, Some(*target), lines).ok()
        }
        Reason::Partly(reason, _) => candidate(program, reason, lines),
        Reason::Each(each) => each.iter().find_map(|(_, reason)| candidate(program, reason, lines)),
        _ => None,
    }
}

/// How many runs there were, if any, without a violation.
fn searched(tried: &[(&'static str, Reason)], statistics: &[(Statistic, u64)], time: Duration) -> Option<String> {
    let found = tried.iter().any(|(_, reason)| matches!(reason, Reason::Candidate(..)));
    let counts = statistics.iter().filter(|(name, _)| [Statistic::Runs, Statistic::Steps].contains(name));
    let counts: Vec<_> = counts.map(|(name, count)| format!("{count} {}", name.name())).collect();
    let text = format!("no violation found in {} ({})", counts.join(", "), seconds(time));
    (!found && !counts.is_empty()).then_some(text)
}

/// A few words for the verdict.
fn short(reason: &Reason) -> String {
    match reason {
        Reason::Limit(Limit::Time) => "time limit".to_owned(),
        Reason::Limit(Limit::Memory) => "memory limit".to_owned(),
        Reason::Limit(Limit::Cancelled) => "cancelled".to_owned(),
        Reason::Unchecked(_) => "the proof is not checked".to_owned(),
        Reason::Count(kind) => format!("{kind} limit"),
        Reason::CannotProve | Reason::NotExcluded | Reason::Beyond(_) => "cannot prove".to_owned(),
        Reason::Unsupported(construct) => format!("not understood: {construct}"),
        Reason::Imprecise(why) => format!("imprecise: {why}"),
        Reason::TooLarge(why) => format!("too large: {why}"),
        Reason::LeftOut(subject) => format!("left out: {subject}"),
        Reason::Vacuous(why) => format!("vacuous: {why}"),
        Reason::Candidates(_) => "possible data race".to_owned(),
        Reason::Candidate(..) => "imprecise model".to_owned(),
        Reason::Unrealized(_) => "no run found".to_owned(),
        Reason::Partly(reason, _) => short(reason),
        Reason::Each(each) => each.last().map_or_else(String::new, |(_, reason)| short(reason)),
    }
}

/// `racing` is how many pairs of accesses are shown.
fn why(program: &Program, reason: &Reason, racing: usize) -> String {
    match reason {
        Reason::Limit(Limit::Time) => "the time is used up".to_owned(),
        Reason::Limit(Limit::Memory) => "the memory is used up".to_owned(),
        Reason::Limit(Limit::Cancelled) => "it was cancelled".to_owned(),
        Reason::Unchecked(Limit::Time) => "there is a proof, but no time was left to check it".to_owned(),
        Reason::Unchecked(Limit::Memory) => "there is a proof, but no memory was left to check it".to_owned(),
        Reason::Unchecked(Limit::Cancelled) => "there is a proof, but its check was cancelled".to_owned(),
        Reason::Count(kind) => format!("the limit of {kind} is reached"),
        Reason::CannotProve => "the one run that there is violates nothing, but that is no proof".to_owned(),
        Reason::NotExcluded => "what is known of all runs does not exclude a violation".to_owned(),
        Reason::Beyond(target) => format!("whether there is {} is not told by states", target.describe()),
        Reason::Unsupported(construct) => {
            format!(
                "not understood: {construct}{}; what a run does behind that is not known",
                place_of(program, construct)
            )
        }
        Reason::Imprecise(why) => format!("the abstraction is too coarse: {why}"),
        Reason::TooLarge(why) => format!("there is no room: {why}"),
        Reason::LeftOut(subject) => {
            format!("{subject} can do more than is modelled (see what was assumed), so a proof would not hold")
        }
        Reason::Vacuous(why) => format!("there is a proof, but it is vacuous: {why}"),
        Reason::Candidates(_) => match racing {
            1 => "one pair of accesses may race (below)".to_owned(),
            count => format!("{count} pairs of accesses may race (below)"),
        },
        Reason::Candidate(target, _) => format!(
            "a run ends in {} (below), but only by what a model allows beyond the real function, so the violation may not exist",
            target.describe()
        ),
        Reason::Unrealized(target) => {
            format!("the abstraction shows a path to {}, but no run was found that follows it", target.describe())
        }
        Reason::Partly(reason, summary) => format!("{}; {}", why(program, reason, racing), left(program, summary)),
        Reason::Each(each) => each
            .iter()
            .map(|(engine, reason)| format!("{engine}: {}", why(program, reason, racing)))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

/// What was proved, and what is left to be looked at.
fn left(program: &Program, summary: &Summary) -> String {
    let place = |(function, location): &(FunctionId, Location)| {
        let function = &program.functions[*function];
        let edge = function.edges_from(*location).next();
        let place = edge.and_then(|(_, edge)| program.sources.place(edge.span)).filter(|_| function.is_own());
        place.map_or_else(|| function.title().to_owned(), |place| format!("{}:{}", function.name, place.line))
    };
    let threads = |places: &[(FunctionId, Location)]| {
        let alike = places.chunk_by(|a, b| a == b).map(|group| match group.len() {
            1 => place(&group[0]),
            count => format!("{count} × {}", place(&group[0])),
        });
        alike.take(6).collect::<Vec<_>>().join(" + ")
    };
    // Different places may be in one line.
    let mut most: Vec<(String, u64)> = Vec::new();
    for (places, count) in &summary.places {
        let text = threads(places);
        match most.iter_mut().find(|(known, _)| *known == text) {
            Some((_, sum)) => *sum += count,
            None => most.push((text, *count)),
        }
    }
    let most: Vec<String> = most.into_iter().map(|(text, count)| format!("{count} at {text}")).collect();
    let are = if summary.left == 1 { "is" } else { "are" };
    format!(
        "no violation through the {} states that were expanded; {} {are} left ({})",
        summary.expanded,
        summary.left,
        most.join(", ")
    )
}

/// What to do about a verdict that only random runs can change.
const RUN: &str = "look for a violation with --engine random";

fn next(reason: &Reason) -> &'static str {
    match reason {
        Reason::Limit(Limit::Time) => "give more with --time-limit, or try another --seed",
        Reason::Unchecked(Limit::Time) => "give more with --time-limit",
        Reason::Unchecked(Limit::Memory) => "give more with --memory-limit",
        Reason::Limit(Limit::Memory) => "give more with --memory-limit",
        Reason::Limit(Limit::Cancelled) | Reason::Unchecked(Limit::Cancelled) => "let it run to its end",
        Reason::Count(_) => "raise --limit, or leave it out",
        Reason::Unsupported(_) => "replace the construct",
        Reason::TooLarge(_) => "make the program smaller, or look for a violation with --engine random",
        Reason::NotExcluded
        | Reason::Beyond(_)
        | Reason::Candidates(_)
        | Reason::LeftOut(_)
        | Reason::Imprecise(_)
        | Reason::Unrealized(_) => RUN,
        Reason::Vacuous(_) => "see what was assumed",
        Reason::Candidate(..) => "see what was assumed; give the function a body",
        Reason::Partly(reason, _) => next(reason),
        Reason::CannotProve => "",
        Reason::Each(each) => match each.last().map_or("", |(_, reason)| next(reason)) {
            RUN if each.iter().any(|(engine, _)| *engine == "random") => {
                "look longer with --engine random --time-limit 60s"
            }
            next => next,
        },
    }
}

/// A result may need a function without a body: a call that does nothing leaves no trace in a run, so every one counts.
/// `found` is what there would be without it.
pub fn missing(program: &Program, found: &str) -> Option<Answer> {
    let entries = program.ledger.entries().iter();
    let mut names: Vec<&str> = Vec::new();
    for entry in entries.filter(|entry| entry.kind == AssumptionKind::MissingBody) {
        if !names.contains(&entry.subject.as_str()) {
            names.push(&entry.subject);
        }
    }
    let names = names.join(", ");
    let details = vec![
        format!("{found} was found, but functions have no body: {names}"),
        "next: give them a body, or leave --strict out".to_owned(),
    ];
    let reason = format!("missing body of {}", one_line(&names));
    (!names.is_empty()).then_some(Answer::Unknown { reason, details, alarms: Vec::new(), interleaving: None })
}

/// A run ends by undefined behaviour, so that a proof says nothing of what a machine does behind it.
pub fn undefined(by: &str, shown: &Shown) -> Answer {
    let details = vec![
        format!("no run violates it before undefined behaviour (by {by}, checked again)"),
        format!(
            "a run comes to undefined behaviour, {} at {}; what a machine does then is open",
            shown.kind, shown.place
        ),
        "next: repair that, or leave such runs out with --undefined trust".to_owned(),
    ];
    let reason = format!("undefined behaviour at {}", shown.place);
    Answer::Unknown { reason, details, alarms: Vec::new(), interleaving: Some(shown.interleaving.clone()) }
}

/// A proof assumes something, which the user does not want.
pub fn assumed(by: &str, assumed: &str) -> Answer {
    let details =
        vec![format!("proved by {by}, checked again, {assumed}"), "next: leave --strict out to accept that".to_owned()];
    let reason = "undefined behaviour is not excluded".to_owned();
    Answer::Unknown { reason, details, alarms: Vec::new(), interleaving: None }
}

fn place_of(program: &Program, construct: &str) -> String {
    let mut edges = program.functions.iter().flat_map(|function| function.edges.iter());
    let edge = edges.find(|edge| matches!(&edge.op, Op::Unsupported(text) if **text == *construct));
    let place = edge.and_then(|edge| program.sources.place(edge.span));
    place.map_or_else(String::new, |place| format!(" ({}:{})", place.file, place.line))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! No verdict: what was tried, why that is no answer, what can be done.

use std::time::Duration;

use base::Limit;
use out::Answer;
use program::{AssumptionKind, Op, Program};
use verify::Reason;

use super::seconds;

pub fn unknown(program: &Program, reason: &Reason, statistics: &[(&'static str, u64)], time: Duration) -> Answer {
    let counts: Vec<_> = statistics.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let mut details = vec![format!("no violation found in {} ({})", counts.join(", "), seconds(time))];
    let (short, why, next) = match reason {
        Reason::Limit(Limit::Time) => ("time limit".to_owned(), "the time is used up", MORE_TIME),
        Reason::Limit(Limit::Memory) => {
            ("memory limit".to_owned(), "the memory is used up", "give more with --memory-limit")
        }
        Reason::Count(what) => {
            (format!("{what} limit"), "the limit by count is reached", "raise --limit, or leave it out")
        }
        Reason::CannotProve => ("cannot prove".to_owned(), "the one run that there is violates nothing", ""),
        Reason::Unsupported(what) => {
            details.push(format!("not understood: {what}{}", place_of(program, what)));
            (format!("not understood: {what}"), "what a run does behind that is not known", "replace the construct")
        }
        Reason::Candidate(target) => {
            details = vec![format!(
                "a run ends in {}, but only by what a model allows beyond the real thing",
                target.describe()
            )];
            (
                "imprecise model".to_owned(),
                "so the violation may not exist",
                "see what was assumed; give the function a body",
            )
        }
    };
    details.push(format!("{why}; the engine `random` finds violations but proves nothing"));
    if !next.is_empty() {
        details.push(format!("next: {next}"));
    }
    Answer::Unknown { reason: one_line(&short), details }
}

const MORE_TIME: &str = "give more with --time-limit, or try another --seed";

/// A violation may need a function that nobody has written: a call that does nothing leaves no trace in a run, so every one counts.
pub fn missing(program: &Program) -> Option<Answer> {
    let entries = program.ledger.entries().iter();
    let names: Vec<_> =
        entries.filter(|e| e.kind == AssumptionKind::MissingBody).map(|entry| entry.subject.as_str()).collect();
    let names = names.join(", ");
    let details = vec![
        format!("a violation was found, but functions have no body: {names}"),
        "next: give them a body, or leave --strict out".to_owned(),
    ];
    let reason = format!("missing body of {}", one_line(&names));
    (!names.is_empty()).then_some(Answer::Unknown { reason, details })
}

fn place_of(program: &Program, what: &str) -> String {
    let mut edges = program.functions.iter().flat_map(|function| function.edges.iter());
    let edge = edges.find(|edge| matches!(&edge.op, Op::Unsupported(text) if **text == *what));
    let place = edge.and_then(|edge| program.sources.place(edge.span));
    place.map_or_else(String::new, |place| format!(" ({}:{})", place.file, place.line))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

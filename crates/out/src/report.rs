//! The result of one property, as text.

use std::fmt::Write as _;

use program::{Assumption, AssumptionKind, Direction, Ledger, Program};
use verify::Property;

use crate::columns::{Detail, columns};
use crate::story::Story;

pub struct Report {
    pub property: Property,
    pub answer: Answer,
    /// What the engine assumed.
    pub ledger: Ledger,
    pub statistics: Vec<(&'static str, u64)>,
}

pub enum Answer {
    Violated {
        /// As the verdict names it: `valid-deref`.
        name: &'static str,
        story: Story,
    },
    Unknown {
        /// One or a few words, for the verdict.
        reason: String,
        /// Why, and what can be done.
        details: Vec<String>,
    },
}

impl Answer {
    pub fn verdict(&self) -> String {
        match self {
            Answer::Violated { name, .. } => format!("false({name})"),
            Answer::Unknown { reason, .. } => format!("unknown({reason})"),
        }
    }
}

/// Everything above the verdict.
pub fn details(report: &Report, width: usize, detail: Detail) -> String {
    let mut out = String::new();
    match &report.answer {
        Answer::Violated { story, .. } => {
            let _ = writeln!(out, "{}: violated\n\n{}", report.property, columns(story, width, detail));
            for line in &story.ending {
                let _ = writeln!(out, "{line}");
            }
        }
        Answer::Unknown { details, .. } => {
            let _ = writeln!(out, "{}: unknown", report.property);
            for line in details {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    if detail == Detail::Full {
        for (name, count) in &report.statistics {
            let _ = writeln!(out, "{name}: {count}");
        }
    }
    out
}

/// The last lines on standard output.
pub fn verdict_lines(reports: &[Report]) -> String {
    match reports {
        [one] => format!("VERDICT: {}\n", one.answer.verdict()),
        several => several.iter().map(|r| format!("VERDICT {}: {}\n", r.property, r.answer.verdict())).collect(),
    }
}

/// What was assumed, one line each. In short, only what can change a verdict.
pub fn assumptions<'l>(program: &Program, ledgers: impl Iterator<Item = &'l Ledger>, detail: Detail) -> String {
    let mut told: Vec<String> = Vec::new();
    let entries = ledgers.flat_map(|ledger| ledger.entries());
    for entry in entries.filter(|entry| detail == Detail::Full || matters(entry)) {
        let line = assumption(program, entry);
        if !told.contains(&line) {
            told.push(line);
        }
    }
    told.concat()
}

/// That library functions do what their manual says needs no mention.
fn matters(entry: &Assumption) -> bool {
    let stands_for_code =
        matches!(entry.kind, AssumptionKind::MissingBody | AssumptionKind::MissingObject | AssumptionKind::Assembly);
    stands_for_code || entry.direction != Direction::Convention || entry.kind == AssumptionKind::Construct
}

fn assumption(program: &Program, entry: &Assumption) -> String {
    let Assumption { direction, subject, text, count, .. } = entry;
    let times = if *count > 1 { format!(", {count} times") } else { String::new() };
    let place = program.sources.place(entry.span).map(|place| format!(" ({}:{}{times})", place.file, place.line));
    format!("assumed [{}] {subject}: {text}{}\n", direction_name(*direction), place.unwrap_or_default())
}

pub(crate) fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Over => "over",
        Direction::Under => "under",
        Direction::Convention => "convention",
    }
}

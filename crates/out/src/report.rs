//! The result of one property or automaton, as text.

use std::fmt::Write as _;

use program::{Assumption, Direction, Ledger, Program};
use verify::{Coverage, Statistics};

use crate::alarms::{self, RaceAlarm};
use crate::columns::{Detail, columns};
use crate::coverage;
use crate::interleaving::Interleaving;

pub struct Report {
    /// The name of a property or of a specification's automaton.
    pub property: String,
    /// The file that the automaton is from.
    pub specification: Option<String>,
    pub answer: Answer,
    /// What the engine assumed.
    pub ledger: Ledger,
    pub statistics: Statistics,
}

pub enum Answer {
    Proved {
        /// The kind of evidence.
        by: &'static str,
        /// What the proof rests on, one line each.
        grounds: Vec<String>,
        coverage: Coverage,
        /// What it assumes, for the first line.
        assumes: Option<String>,
    },
    Violated {
        /// As the verdict names it: `valid-deref`.
        name: String,
        interleaving: Interleaving,
    },
    Unknown {
        /// One or a few words, for the verdict.
        reason: String,
        /// Why, and what can be done.
        details: Vec<String>,
        /// Accesses that may race.
        alarms: Vec<RaceAlarm>,
        /// A run that shows why.
        interleaving: Option<Interleaving>,
    },
}

impl Answer {
    pub fn verdict(&self) -> String {
        match self {
            Answer::Proved { .. } => "true".to_owned(),
            Answer::Violated { name, .. } => format!("false({name})"),
            Answer::Unknown { reason, .. } => format!("unknown({reason})"),
        }
    }
}

/// Everything above the verdict. Properties of which the same is to be said are shown together, where the first of them stands.
pub fn details(reports: &[Report], width: usize, detail: Detail) -> String {
    let mut groups: Vec<Vec<&Report>> = Vec::new();
    for report in reports {
        match groups.iter_mut().find(|group| is_same(&group[0].answer, &report.answer)) {
            Some(group) => group.push(report),
            None => groups.push(vec![report]),
        }
    }
    groups.iter().map(|group| one(group, width, detail) + "\n").collect()
}

fn is_same(a: &Answer, b: &Answer) -> bool {
    match (a, b) {
        (
            Answer::Proved { by: a, grounds: x, coverage: c, assumes: s },
            Answer::Proved { by: b, grounds: y, coverage: d, assumes: t },
        ) => a == b && x == y && s == t && coverage::are_alike(c, d),
        (Answer::Unknown { details: a, alarms: x, .. }, Answer::Unknown { details: b, alarms: y, .. }) => {
            a == b && x == y
        }
        (Answer::Violated { interleaving: a, .. }, Answer::Violated { interleaving: b, .. }) => a == b,
        _ => false,
    }
}

fn one(group: &[&Report], width: usize, detail: Detail) -> String {
    let mut out = String::new();
    let report = group[0];
    let names: Vec<_> = group.iter().map(|report| report.property.as_str()).collect();
    let names = names.join(", ");
    match &report.answer {
        Answer::Violated { interleaving, .. } => {
            let _ = writeln!(out, "{names}: violated\n\n{}", columns(interleaving, width, detail));
            for line in &interleaving.ending {
                let _ = writeln!(out, "{line}");
            }
        }
        Answer::Proved { by, grounds, assumes, .. } => {
            let covered = coverages(group);
            let remarks = [assumes.clone(), coverage::remark(&covered)];
            let remarks: String = remarks.into_iter().flatten().map(|remark| format!("; {remark}")).collect();
            paragraph(&mut out, &format!("{names}: proved by {by}, checked again{remarks}"), grounds);
            coverage::lines(&covered, detail).iter().for_each(|line| out += &format!("  {line}\n"));
        }
        Answer::Unknown { details, alarms, interleaving, .. } => {
            paragraph(&mut out, &format!("{names}: unknown"), details);
            if let Some(interleaving) = interleaving {
                let _ = writeln!(out, "\n{}", columns(interleaving, width, detail));
                interleaving.ending.iter().for_each(|line| out += &format!("{line}\n"));
            }
            out += &alarms::text(alarms, width, detail);
        }
    }
    if detail == Detail::Full {
        for (name, count) in &report.statistics {
            let _ = writeln!(out, "{}: {count}", name.name());
        }
    }
    out
}

fn coverages<'r>(group: &[&'r Report]) -> Vec<&'r Coverage> {
    let coverage = |report: &&'r Report| match &report.answer {
        Answer::Proved { coverage, .. } => Some(coverage),
        _ => None,
    };
    group.iter().filter_map(coverage).collect()
}

fn paragraph(out: &mut String, head: &str, lines: &[String]) {
    let _ = writeln!(out, "{head}");
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

/// The last lines on standard output.
pub fn verdict_lines(reports: &[Report]) -> String {
    match reports {
        [one] => format!("VERDICT: {}\n", one.answer.verdict()),
        several => several.iter().map(|r| format!("VERDICT {}: {}\n", r.property, r.answer.verdict())).collect(),
    }
}

/// What was assumed, one line each: of the program, and where no violation was found, of its runs.
pub fn assumptions(program: &Program, reports: &[Report], detail: Detail) -> String {
    let unviolated = reports.iter().filter(|report| !matches!(report.answer, Answer::Violated { .. }));
    let ledgers = [&program.ledger].into_iter().chain(unviolated.map(|report| &report.ledger));
    let mut shown: Vec<String> = Vec::new();
    let mut entries: Vec<&Assumption> = ledgers.flat_map(|ledger| ledger.entries()).collect();
    // What forbids a proof first.
    entries.sort_by_key(|entry| match entry.direction {
        Direction::Under => 0,
        Direction::Over => 1,
        Direction::Convention => 2,
    });
    for entry in entries {
        let line = assumption(program, entry);
        if !shown.contains(&line) {
            shown.push(line);
        }
    }
    let more = shown.len().saturating_sub(MOST_ASSUMED);
    if detail == Detail::Short && more > 0 {
        shown.truncate(MOST_ASSUMED);
        shown.push(format!("… and {more} more\n"));
    }
    shown.concat()
}

/// More are shown if asked for.
const MOST_ASSUMED: usize = 12;

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

//! Accesses that may race: both places, what is held there, why they may run together.

use std::fmt::Write as _;

use facts::{Candidate, Touch};
use program::Program;
use serde_json::{Value, json};

use crate::columns::{Detail, break_up, fit};
use crate::story::{Lines, Place};

/// Nobody reads more unless asked.
const MOST: usize = 3;

/// A candidate with the source lines of its accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceAlarm {
    pub places: [Place; 2],
    pub candidate: Candidate,
}

impl RaceAlarm {
    pub fn new(program: &Program, candidate: Candidate, lines: Lines<'_>) -> RaceAlarm {
        let places = [&candidate.first, &candidate.second].map(|touch| Place::of(program, touch.span, lines));
        RaceAlarm { places, candidate }
    }

    fn touches(&self) -> impl Iterator<Item = (&Place, &Touch)> {
        self.places.iter().zip([&self.candidate.first, &self.candidate.second])
    }

    fn memory(&self) -> String {
        let Candidate { first, second, .. } = &self.candidate;
        match (&first.what, &second.what) {
            (a, b) if a.starts_with(b.as_str()) || a.ends_with(b.as_str()) => a.clone(),
            (a, b) if b.starts_with(a.as_str()) || b.ends_with(a.as_str()) => b.clone(),
            (a, b) => format!("{a} and {b}"),
        }
    }
}

pub(crate) fn text(alarms: &[RaceAlarm], width: usize, detail: Detail) -> String {
    let shown = if detail == Detail::Full { alarms.len() } else { alarms.len().min(MOST) };
    let mut out = String::new();
    for (i, alarm) in alarms[..shown].iter().enumerate() {
        one(&mut out, i + 1, alarm, width);
    }
    if shown < alarms.len() {
        let _ = writeln!(out, "\n  … and {} more: -v shows them all", alarms.len() - shown);
    }
    out
}

fn one(out: &mut String, number: usize, alarm: &RaceAlarm, width: usize) {
    let _ = writeln!(out, "\n  {number}. {}", alarm.memory());
    for (place, touch) in alarm.touches() {
        let head = format!("     {}:{}  ", place.file, place.line);
        let _ = writeln!(out, "{}", fit(&format!("{head}{}", place.text), width));
        paragraph(out, &access(touch), 9, width);
    }
    paragraph(out, &format!("may run together: {}", alarm.candidate.why_parallel), 5, width);
}

fn access(touch: &Touch) -> String {
    let Touch { thread, what, write, atomic, locks, .. } = touch;
    let verb = if *write { "writes" } else { "reads" };
    let how = if *atomic { " atomically" } else { "" };
    let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
    format!("{thread} {verb} {what}{how}, holding {held}")
}

fn paragraph(out: &mut String, text: &str, indent: usize, width: usize) {
    for line in break_up(text, width.saturating_sub(indent)) {
        let _ = writeln!(out, "{}{line}", " ".repeat(indent));
    }
}

pub(crate) fn json(alarm: &RaceAlarm) -> Value {
    let access = |(place, touch): (&Place, &Touch)| {
        json!({
            "file": place.file,
            "line": place.line,
            "text": place.text,
            "thread": touch.thread,
            "memory": touch.what,
            "write": touch.write,
            "atomic": touch.atomic,
            "locks": touch.locks,
        })
    };
    json!({
        "accesses": alarm.touches().map(access).collect::<Vec<_>>(),
        "why_parallel": alarm.candidate.why_parallel,
    })
}

#[cfg(test)]
mod tests {
    use base::Span;

    use super::*;

    fn alarm() -> RaceAlarm {
        let touch = |thread: &str, write, locks: &[&str]| Touch {
            span: Span::NONE,
            thread: thread.to_owned(),
            what: "counter".to_owned(),
            write,
            atomic: !write,
            locks: locks.iter().map(|lock| (*lock).to_owned()).collect(),
        };
        let place = |line, text: &str| Place { file: "x.c".to_owned(), line, text: text.to_owned() };
        RaceAlarm {
            places: [place(7, "counter++;"), place(9, "return counter;")],
            candidate: Candidate {
                first: touch("add", true, &["a", "b"]),
                second: touch("main", false, &[]),
                why_parallel: "add is never joined".to_owned(),
            },
        }
    }

    #[test]
    fn both_sides_of_a_race_are_told() {
        let expected = "
  1. counter
     x.c:7  counter++;
         add writes counter, holding a, b
     x.c:9  return counter;
         main reads counter atomically, holding no lock
     may run together: add is never joined
";
        assert_eq!(text(&[alarm()], 80, Detail::Short), expected);
    }

    #[test]
    fn a_few_are_told_unless_more_are_asked_for() {
        let many = vec![alarm(); 5];
        let short = text(&many, 80, Detail::Short);
        assert!(short.ends_with("\n  … and 2 more: -v shows them all\n"), "{short}");
        assert_eq!(short.matches("may run together").count(), 3);
        assert_eq!(text(&many, 80, Detail::Full).matches("may run together").count(), 5);
        assert!(!text(&many[..3], 80, Detail::Short).contains("more"));
    }

    #[test]
    fn programs_get_the_same() {
        let value = json(&alarm());
        assert_eq!(value["accesses"][0]["locks"], json!(["a", "b"]));
        assert_eq!(value["accesses"][1]["line"], 9);
        assert_eq!(value["accesses"][1]["write"], false);
    }
}

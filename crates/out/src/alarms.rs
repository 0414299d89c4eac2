//! Accesses that may race: both places, what is held there, why they may run together.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::columns::{Detail, break_up, fit};
use crate::interleaving::SourceLine;

/// More are shown if asked for.
const MOST: usize = 3;

/// Two accesses that may race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceAlarm {
    pub accesses: [RaceAccess; 2],
    /// One sentence: `add runs from line 20 until it is joined in line 23`.
    pub why_parallel: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    pub place: SourceLine,
    /// The function that the thread runs.
    pub thread: String,
    /// `counter`, `table[…].next`, `block of line 9`.
    pub memory: String,
    pub write: bool,
    pub atomic: bool,
    /// Held whenever the access is made.
    pub locks: Vec<String>,
}

impl RaceAlarm {
    fn memory(&self) -> String {
        let [first, second] = &self.accesses;
        match (&first.memory, &second.memory) {
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
    for made in &alarm.accesses {
        let SourceLine { file, line, text } = &made.place;
        let _ = writeln!(out, "{}", fit(&format!("     {file}:{line}  {text}"), width));
        paragraph(out, &access(made), 9, width);
    }
    paragraph(out, &format!("may run together: {}", alarm.why_parallel), 5, width);
}

fn access(access: &RaceAccess) -> String {
    let RaceAccess { thread, memory, write, atomic, locks, .. } = access;
    let verb = if *write { "writes" } else { "reads" };
    let how = if *atomic { " atomically" } else { "" };
    let held = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
    format!("{thread} {verb} {memory}{how}, holding {held}")
}

fn paragraph(out: &mut String, text: &str, indent: usize, width: usize) {
    for line in break_up(text, width.saturating_sub(indent)) {
        let _ = writeln!(out, "{}{line}", " ".repeat(indent));
    }
}

pub(crate) fn json(alarm: &RaceAlarm) -> Value {
    let access = |access: &RaceAccess| {
        json!({
            "file": access.place.file,
            "line": access.place.line,
            "text": access.place.text,
            "thread": access.thread,
            "memory": access.memory,
            "write": access.write,
            "atomic": access.atomic,
            "locks": access.locks,
        })
    };
    json!({
        "accesses": alarm.accesses.iter().map(access).collect::<Vec<_>>(),
        "why_parallel": alarm.why_parallel,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alarm() -> RaceAlarm {
        let access = |line, text: &str, thread: &str, write, locks: &[&str]| RaceAccess {
            place: SourceLine { file: "x.c".to_owned(), line, text: text.to_owned() },
            thread: thread.to_owned(),
            memory: "counter".to_owned(),
            write,
            atomic: !write,
            locks: locks.iter().map(|lock| (*lock).to_owned()).collect(),
        };
        RaceAlarm {
            accesses: [
                access(7, "counter++;", "add", true, &["a", "b"]),
                access(9, "return counter;", "main", false, &[]),
            ],
            why_parallel: "add is never joined".to_owned(),
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

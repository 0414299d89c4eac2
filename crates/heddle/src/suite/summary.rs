//! Counts over rows, for all tables.

use std::collections::BTreeMap;

use super::answer::{Answer, Judgement};
use super::results::Row;
use super::tasks::Expected;
use super::tools::Tool;

/// Of a suite, a property and a tool, or of all of them.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Summary {
    pub tasks: usize,
    /// As expected, or nothing is expected.
    pub proved: usize,
    pub violated: usize,
    pub wrong: usize,
    pub unknown: usize,
    pub crashed: usize,
    pub seconds: f64,
    /// As competitions count: 2 for a proof, 1 for a violation, -32 and -16 for wrong ones. None where nothing is expected.
    pub score: Option<i64>,
    /// How often, by the reason up to its details.
    pub reasons: BTreeMap<String, usize>,
    /// Of the solved ones, ascending.
    pub times: Vec<f64>,
}

impl Summary {
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Row<'r>>) -> Summary {
        let mut summary = Summary::default();
        rows.into_iter().for_each(|row| summary.add(row));
        summary.times.sort_by(f64::total_cmp);
        summary
    }

    pub fn solved(&self) -> usize {
        self.proved + self.violated
    }

    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).copied()
    }

    fn add(&mut self, row: &Row<'_>) {
        self.tasks += 1;
        self.seconds += row.outcome.seconds;
        let holds = row.outcome.answer == Answer::True;
        let judgement = row.outcome.answer.judge(row.task);
        match judgement {
            Judgement::Correct | Judgement::Unjudged => {
                self.times.push(row.outcome.seconds);
                *if holds { &mut self.proved } else { &mut self.violated } += 1;
            }
            Judgement::Wrong => self.wrong += 1,
            Judgement::Unknown => {
                self.unknown += 1;
                *self.reasons.entry(reason(&row.outcome.answer)).or_default() += 1;
            }
            Judgement::Crashed => self.crashed += 1,
        }
        if row.task.expected.is_some() {
            *self.score.get_or_insert(0) += points(judgement, holds);
        }
    }

    /// The most frequent first.
    pub fn reasons(&self) -> Vec<(&str, usize)> {
        let mut reasons: Vec<(&str, usize)> = self.reasons.iter().map(|(why, n)| (why.as_str(), *n)).collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }
}

fn points(judgement: Judgement, holds: bool) -> i64 {
    match (judgement, holds) {
        (Judgement::Correct, true) => 2,
        (Judgement::Correct, false) => 1,
        (Judgement::Wrong, true) => -32,
        (Judgement::Wrong, false) => -16,
        _ => 0,
    }
}

/// Names of functions and the like follow a colon.
fn reason(answer: &Answer) -> String {
    match answer {
        Answer::Unknown(why) => why.split(':').next().unwrap_or_default().to_owned(),
        other => other.to_string(),
    }
}

/// Rows of one suite, property and tool.
pub struct Group<'g> {
    pub suite: &'g str,
    pub property: &'static str,
    pub tool: &'g Tool,
    pub summary: Summary,
}

/// By suite, then property; the tools stay in their order.
pub fn groups<'g>(rows: &'g [Row<'g>], tools: &'g [Tool]) -> Vec<Group<'g>> {
    let mut found: BTreeMap<(&str, verify::Property, usize), Vec<&Row<'_>>> = BTreeMap::new();
    for row in rows {
        let tool = tools.iter().position(|tool| std::ptr::eq(tool, row.tool)).unwrap_or(0);
        found.entry((&row.task.suite, row.task.property, tool)).or_default().push(row);
    }
    let group = |((suite, property, tool), rows): ((_, verify::Property, usize), Vec<&'g Row<'g>>)| Group {
        suite,
        property: property.name(),
        tool: &tools[tool],
        summary: Summary::of(rows),
    };
    found.into_iter().map(group).collect()
}

pub fn of_tool<'r>(rows: &'r [Row<'r>], tool: &Tool) -> Vec<&'r Row<'r>> {
    rows.iter().filter(|row| std::ptr::eq(row.tool, tool)).collect()
}

/// Whether some rows have nothing to be compared with.
pub fn has_unjudged(rows: &[Row<'_>]) -> bool {
    rows.iter().any(|row| row.outcome.answer.judge(row.task) == Judgement::Unjudged)
}

pub fn expected(row: &Row<'_>) -> &'static str {
    Expected::word(row.task.expected.as_ref())
}

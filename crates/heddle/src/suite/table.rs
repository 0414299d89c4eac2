//! The table on standard output: a line for each suite, property and tool, then what needs a look.

use std::fmt::Write as _;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

use super::answer::{Answer, Judgement};
use super::results::Row;
use super::run::log_name;
use super::summary::{self, Summary};
use super::tools::Tool;

/// A tool that is not there crashes on every task.
const MOST_NAMED: usize = 20;
const NUMBERS: [&str; 7] = ["tasks", "true", "false", "wrong", "unknown", "crashed", "seconds"];

pub fn text(rows: &[Row<'_>], tools: &[Tool], folder: &Path) -> String {
    let mut text = counts(rows, tools);
    text.push('\n');
    if summary::has_unjudged(rows) {
        text.push_str("where no verdict is expected, none is wrong\n");
    }
    for tool in tools {
        reasons(&mut text, tool, tools.len(), &Summary::of(summary::of_tool(rows, tool)));
    }
    remarkable(&mut text, rows, folder);
    for tool in tools {
        totals(&mut text, tool, &Summary::of(summary::of_tool(rows, tool)));
    }
    text
}

fn counts(rows: &[Row<'_>], tools: &[Tool]) -> String {
    let mut lines = vec![heading(["suite", "property", "tool"], NUMBERS)];
    for group in summary::groups(rows, tools) {
        lines.push(heading([group.suite, group.property, &group.tool.name], numbers(&group.summary)));
    }
    if lines.len() > 1 + tools.len() {
        for tool in tools {
            let total = numbers(&Summary::of(summary::of_tool(rows, tool)));
            lines.push(heading(["total", "", &tool.name], total));
        }
    }
    if tools.len() == 1 {
        lines.iter_mut().for_each(|line| drop(line.remove(2)));
    }
    aligned(&lines)
}

fn heading(names: [&str; 3], numbers: [impl ToString; 7]) -> Vec<String> {
    names.iter().map(ToString::to_string).chain(numbers.iter().map(ToString::to_string)).collect()
}

fn numbers(s: &Summary) -> [String; 7] {
    let [tasks, proved, violated, wrong, unknown, crashed] =
        [s.tasks, s.proved, s.violated, s.wrong, s.unknown, s.crashed].map(|n| n.to_string());
    [tasks, proved, violated, wrong, unknown, crashed, format!("{:.1}", s.seconds)]
}

/// Names to the left, numbers to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        for (column, cell) in line.iter().enumerate() {
            let pad = " ".repeat(widths[column] - cell.width());
            let gap = if column == 0 { "" } else { "  " };
            let name = column + NUMBERS.len() < columns;
            let _ = if name { write!(text, "{gap}{cell}{pad}") } else { write!(text, "{gap}{pad}{cell}") };
        }
        text.push('\n');
    }
    text
}

fn reasons(text: &mut String, tool: &Tool, tools: usize, summary: &Summary) {
    let reasons: Vec<String> = summary.reasons().iter().map(|(why, count)| format!("{why} {count}")).collect();
    if !reasons.is_empty() {
        let whose = if tools > 1 { format!(" to {}", tool.name) } else { String::new() };
        let _ = writeln!(text, "unknown{whose}: {}", reasons.join("; "));
    }
}

/// Wrong answers and crashes by name: wrong answers first, and ours first.
fn remarkable(text: &mut String, rows: &[Row<'_>], folder: &Path) {
    for judgement in [Judgement::Wrong, Judgement::Crashed] {
        let mut found: Vec<&Row<'_>> =
            rows.iter().filter(|row| row.outcome.answer.judge(row.task) == judgement).collect();
        found.sort_by_key(|row| !row.tool.is_heddle());
        for row in found.iter().take(MOST_NAMED) {
            let log = folder.join(log_name(row.tool, row.task));
            let _ = writeln!(text, "{} ({})", remark(row, judgement), log.display());
        }
        if found.len() > MOST_NAMED {
            let _ = writeln!(text, "and {} more {}, see results.csv", found.len() - MOST_NAMED, judgement.word());
        }
    }
}

fn remark(row: &Row<'_>, judgement: Judgement) -> String {
    let Row { tool, task, outcome } = row;
    let title = format!("{} {}: ", task.name, task.property);
    match (judgement, &outcome.answer) {
        (Judgement::Wrong, answer) => {
            let expected = summary::expected(row);
            format!("WRONG {title}expected {expected}, {} says {answer}", tool.name)
        }
        (_, Answer::Crashed(how)) => format!("CRASHED {title}{}, {how}", tool.name),
        (_, answer) => format!("{title}{}, {answer}", tool.name),
    }
}

fn totals(text: &mut String, tool: &Tool, s: &Summary) {
    let _ = write!(text, "{}: solved {} of {}, wrong {}", tool.name, s.solved(), s.tasks, s.wrong);
    if let Some(score) = s.score {
        let _ = write!(text, ", score {score}");
    }
    if let Some(median) = s.median() {
        let _ = write!(text, ", median {median:.2} s of solved");
    }
    text.push('\n');
}

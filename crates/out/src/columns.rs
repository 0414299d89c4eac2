//! A story in columns, one for each thread, as wide as the terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::story::{Row, Story};

/// Narrower columns cannot be read: threads are then told by name, in one column.
const NARROWEST: usize = 24;
/// Longer stories are told without what matters less, then without their middle.
const LONGEST: usize = 40;
const GAP: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Short,
    Full,
}

pub fn columns(story: &Story, width: usize, detail: Detail) -> String {
    let chosen = choose(story, detail);
    let threads: Vec<usize> = chosen.rows().map(|row| row.thread).collect::<BTreeSet<_>>().into_iter().collect();
    let label = chosen.rows().map(|row| self::label(row).width()).max().unwrap_or(0);
    let space = width.saturating_sub(label + GAP);
    let column = space / threads.len().max(1);
    let page = match column {
        NARROWEST.. => Page { label, column: column - GAP, threads: Some(threads) },
        _ => Page { label, column: space, threads: None },
    };
    page.write(story, &chosen)
}

/// What is told: rows, and how many are left out between two of them.
struct Chosen<'s> {
    rows: Vec<(usize, &'s Row)>,
    left_out: Option<usize>,
}

impl<'s> Chosen<'s> {
    fn rows(&self) -> impl Iterator<Item = &'s Row> {
        self.rows.iter().map(|(_, row)| *row)
    }
}

fn choose(story: &Story, detail: Detail) -> Chosen<'_> {
    let all = || story.rows.iter().enumerate().filter(|(_, row)| row.place.line > 0);
    let noted: Vec<_> = all().filter(|(_, row)| !row.notes.is_empty()).collect();
    let mut rows = match detail {
        Detail::Full => return Chosen { rows: all().collect(), left_out: None },
        Detail::Short if noted.len() <= LONGEST / 2 => noted,
        Detail::Short => all().filter(|(_, row)| row.matters()).collect(),
    };
    if rows.len() <= LONGEST {
        return Chosen { rows, left_out: None };
    }
    let left_out = rows.len() - LONGEST;
    rows.drain(LONGEST / 4..LONGEST / 4 + left_out);
    Chosen { rows, left_out: Some(left_out) }
}

struct Page {
    label: usize,
    column: usize,
    /// Threads that have a column of their own.
    threads: Option<Vec<usize>>,
}

impl Page {
    fn write(&self, story: &Story, chosen: &Chosen<'_>) -> String {
        let mut out = String::new();
        if let Some(threads) = &self.threads {
            let heads = threads.iter().map(|t| head(story, *t));
            let heads: String = heads.map(|head| pad(&head, self.column + GAP)).collect();
            let _ = writeln!(out, "{}{}", " ".repeat(self.label + GAP), heads.trim_end());
        }
        let mut last = None;
        for (i, (_, row)) in chosen.rows.iter().enumerate() {
            if i == LONGEST / 4
                && let Some(left_out) = chosen.left_out
            {
                let _ = writeln!(out, "{}… {left_out} more lines, shown by -v …", " ".repeat(self.label + GAP));
            }
            self.row(&mut out, row, last != Some(row.thread));
            last = Some(row.thread);
        }
        out
    }

    /// The line of the program, and what it does below.
    fn row(&self, out: &mut String, row: &Row, switch: bool) {
        let mark = if switch { "▸ " } else { "  " };
        let (indent, name) = match &self.threads {
            Some(threads) => {
                let at = threads.iter().position(|t| *t == row.thread).unwrap_or(0);
                (at * (self.column + GAP), String::new())
            }
            None => (0, format!("T{} ", row.thread)),
        };
        let before = pad(&label(row), self.label + GAP) + &" ".repeat(indent);
        let text = fit(&format!("{mark}{name}{}", row.place.text), self.column);
        let _ = writeln!(out, "{}", format!("{before}{text}").trim_end());
        let blank = " ".repeat(self.label + GAP + indent);
        for line in wrap(row.notes.iter().map(|note| note.text()), self.column.saturating_sub(4)) {
            let _ = writeln!(out, "{blank}    {line}");
        }
    }
}

fn head(story: &Story, thread: usize) -> String {
    format!("  T{thread} {}", story.threads.get(thread).map_or("", |name| name))
}

fn label(row: &Row) -> String {
    let name = row.place.file.rsplit('/').next().unwrap_or("");
    format!("{name}:{}", row.place.line)
}

fn pad(text: &str, width: usize) -> String {
    let text = fit(text, width);
    let missing = width.saturating_sub(text.width());
    text + &" ".repeat(missing)
}

/// Cut to a width, with a sign that it was. Nothing is left that a terminal would act on.
fn fit(text: &str, width: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.width() <= width {
        return text;
    }
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used < width
    };
    text.chars().take_while(fits).collect::<String>() + "…"
}

/// Notes behind each other, as many as fit in a line.
fn wrap(notes: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in notes {
        match lines.last_mut() {
            Some(line) if line.width() + note.width() + 2 <= width => {
                line.push_str(", ");
                line.push_str(&note);
            }
            _ => lines.push(fit(&note, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_counted_as_such() {
        assert_eq!(fit("日本語", 6), "日本語");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("a\tb\x1b[0m", 9), "a b [0m");
        assert_eq!(pad("ä", 3), "ä  ");
    }
}

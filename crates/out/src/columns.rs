//! An interleaving in columns, one for each thread, as wide as the terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::interleaving::{Interleaving, Note, Row};

/// Columns begin this far apart, at least: with more threads they are known by name, in one column.
const NARROWEST: usize = 8;
const WIDEST: usize = 48;
/// Since only one thread acts in a line, its text may reach over the columns to the right. The last one has this much room.
const LAST: usize = 44;
/// Longer interleavings are shown without what matters less, then without their middle.
const LONGEST: usize = 40;
const GAP: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Short,
    Full,
}

pub fn columns(interleaving: &Interleaving, width: usize, detail: Detail) -> String {
    let chosen = choose(interleaving, detail);
    let threads: Vec<usize> = chosen.rows.iter().map(|row| row.thread).collect::<BTreeSet<_>>().into_iter().collect();
    let files: BTreeSet<&str> = chosen.rows.iter().map(|row| row.place.file.as_str()).collect();
    let labels = if files.len() == 1 { Labels::Lines } else { Labels::FilesAndLines };
    let label = chosen.rows.iter().map(|row| labels.of(row).width()).max().unwrap_or(0);
    let space = width.saturating_sub(label + GAP);
    let column = match threads.len() {
        0 | 1 => WIDEST,
        count => (space.saturating_sub(LAST) / (count - 1)).min(WIDEST),
    };
    let threads = Some(threads).filter(|_| column >= NARROWEST);
    let page = Page { labels, label, space, column, threads, detail };
    let title = files.iter().next().filter(|_| files.len() == 1).map_or_else(String::new, |file| format!("{file}\n"));
    title + &page.write(interleaving, &chosen)
}

/// What is shown of an interleaving.
struct Chosen<'s> {
    rows: Vec<&'s Row>,
    /// So many rows are missing behind the first quarter.
    left_out: Option<usize>,
}

fn choose(interleaving: &Interleaving, detail: Detail) -> Chosen<'_> {
    let all = || interleaving.rows.iter().filter(|row| row.place.line > 0);
    let noted: Vec<_> = all().filter(|row| row.notes.iter().any(Note::is_shown)).collect();
    let mut rows = match detail {
        Detail::Full => return Chosen { rows: all().collect(), left_out: None },
        Detail::Short if noted.len() <= LONGEST / 2 => noted,
        Detail::Short => all().filter(|row| row.matters()).collect(),
    };
    let left_out = rows.len().checked_sub(LONGEST).filter(|left_out| *left_out > 0);
    if let Some(left_out) = left_out {
        rows.drain(LONGEST / 4..LONGEST / 4 + left_out);
    }
    Chosen { rows, left_out }
}

/// How the place of a row is named.
#[derive(Clone, Copy)]
enum Labels {
    Lines,
    FilesAndLines,
}

impl Labels {
    fn of(self, row: &Row) -> String {
        let name = row.place.file.rsplit('/').next().unwrap_or("");
        match self {
            Labels::Lines => row.place.line.to_string(),
            Labels::FilesAndLines => format!("{name}:{}", row.place.line),
        }
    }
}

struct Page {
    labels: Labels,
    label: usize,
    /// Behind the labels.
    space: usize,
    column: usize,
    /// Threads that have a column of their own.
    threads: Option<Vec<usize>>,
    detail: Detail,
}

impl Page {
    fn write(&self, interleaving: &Interleaving, chosen: &Chosen<'_>) -> String {
        let mut out = String::new();
        if let Some(threads) = &self.threads {
            let heads = threads.iter().map(|t| head(interleaving, *t));
            let heads: String = heads.map(|head| pad(&fit(&head, self.column - 1), self.column)).collect();
            let _ = writeln!(out, "{}{}", " ".repeat(self.label + GAP), heads.trim_end());
        }
        let mut last = None;
        for (i, row) in chosen.rows.iter().enumerate() {
            if let Some(left_out) = chosen.left_out.filter(|_| i == LONGEST / 4) {
                let _ = writeln!(out, "{}… {left_out} more …", " ".repeat(self.label + GAP));
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
                (at * self.column, String::new())
            }
            None => (0, format!("T{} ", row.thread)),
        };
        let label = self.labels.of(row);
        let before = " ".repeat(self.label.saturating_sub(label.width())) + &label + &" ".repeat(GAP + indent);
        let room = self.space.saturating_sub(indent);
        let text = fit(&format!("{mark}{name}{}", row.place.text), room);
        let _ = writeln!(out, "{}", format!("{before}{text}").trim_end());
        let blank = " ".repeat(self.label + GAP + indent);
        let notes = row.notes.iter().filter(|note| self.detail == Detail::Full || note.is_shown());
        for line in wrap(notes.map(Note::text), room.saturating_sub(4)) {
            let _ = writeln!(out, "{blank}    {line}");
        }
    }
}

fn head(interleaving: &Interleaving, thread: usize) -> String {
    format!("  T{thread} {}", interleaving.threads.get(thread).map_or("", |name| name))
}

pub(crate) fn pad(text: &str, width: usize) -> String {
    let text = fit(text, width);
    let missing = width.saturating_sub(text.width());
    text + &" ".repeat(missing)
}

/// Cut to a width, with a sign that it was. Nothing is left that a terminal would act on.
pub(crate) fn fit(text: &str, width: usize) -> String {
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

/// Notes behind each other, as many as fit in a line; one that is longer is broken between words.
fn wrap(notes: impl Iterator<Item = String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for note in notes {
        match lines.last_mut() {
            Some(line) if line.width() + note.width() + 2 <= width => {
                line.push_str(", ");
                line.push_str(&note);
            }
            _ => lines.extend(break_up(&note, width)),
        }
    }
    lines
}

pub(crate) fn break_up(note: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in note.split(' ') {
        let line = lines.last_mut().expect("there is a line from the start");
        match line.is_empty() || line.width() + 1 + word.width() <= width {
            true if line.is_empty() => line.push_str(word),
            true => {
                line.push(' ');
                line.push_str(word);
            }
            false => lines.push(format!("  {word}")),
        }
    }
    lines.into_iter().map(|line| fit(&line, width)).collect()
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

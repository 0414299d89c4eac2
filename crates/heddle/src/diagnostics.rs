//! Messages about the user's text, as the user sees them: the place, the line with a mark under what is meant, what to do.
//!
//! The front end reads what the preprocessor left. Where the line of the user's own file still says the same up to the mark, that
//! line is shown; where a macro was expanded before it, the preprocessed line, and a note that says so.

mod line;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use base::source::Place;
use base::{Diagnostic, Severity, SourceMap, Span};

use line::Marked;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const FRAME: Style = AnsiColor::Blue.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const HELP: Style = AnsiColor::Green.on_default().bold();

/// Files larger than this are not read again for one line.
const MOST_BYTES: u64 = 64 << 20;

/// The message with colours; what writes it drops them where they cannot be seen.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut out = String::new();
    let (name, style) = match diagnostic.severity {
        Severity::Error => ("error", ERROR),
        Severity::Warning => ("warning", WARNING),
    };
    let mut expanded = false;
    title(&mut out, name, style, &diagnostic.message);
    excerpt(&mut out, sources, diagnostic.span, style, &mut expanded);
    for (span, message) in &diagnostic.notes {
        title(&mut out, "note", NOTE, message);
        excerpt(&mut out, sources, *span, NOTE, &mut expanded);
    }
    if expanded {
        title(&mut out, "note", NOTE, "the line is shown as the preprocessor left it");
    }
    if let Some(help) = &diagnostic.help {
        title(&mut out, "help", HELP, help);
    }
    out
}

/// A message that is about no place in a text.
pub fn plain(message: &str) -> String {
    let mut out = String::new();
    title(&mut out, "error", ERROR, message);
    out
}

fn title(out: &mut String, name: &str, style: Style, message: &str) {
    let message: String = message.chars().map(line::printable).collect();
    let _ = writeln!(out, "{style}{name}{style:#}: {message}");
}

fn excerpt(out: &mut String, sources: &SourceMap, span: Span, style: Style, expanded: &mut bool) {
    let Some(place) = sources.place(span) else { return };
    let snippet = sources.snippet(span);
    let (marked, column) = match original(&place, snippet) {
        Some((text, column)) => (Marked::new(&text, column, snippet), column),
        None => {
            *expanded |= was_preprocessed(&place);
            (Marked::new(place.text, place.column as usize, snippet), place.column as usize)
        }
    };
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let _ = writeln!(out, "{margin}{FRAME}-->{FRAME:#} {}:{}:{column}", place.file, place.line);
    let _ = writeln!(out, "{margin} {FRAME}|{FRAME:#}");
    let _ = writeln!(out, "{FRAME}{number} |{FRAME:#} {}", marked.text);
    let _ = writeln!(out, "{margin} {FRAME}|{FRAME:#} {}{style}{}{style:#}", marked.indent, marked.mark);
}

/// The line in the user's file, and the column in it, if everything up to the end of the mark is there.
fn original(place: &Place, snippet: &str) -> Option<(String, usize)> {
    let text = original_line(place)?;
    let before: String = place.text.chars().take(place.column as usize - 1).collect();
    let column = line::column_after(&text, &before, snippet.lines().next().unwrap_or(""))?;
    Some((text, column))
}

fn original_line(place: &Place) -> Option<String> {
    let path = PathBuf::from(place.file);
    let readable = fs::metadata(&path).is_ok_and(|m| m.is_file() && m.len() <= MOST_BYTES);
    let bytes = readable.then(|| fs::read(&path).ok()).flatten()?;
    let line = bytes.split(|b| *b == b'\n').nth(place.line.checked_sub(1)? as usize)?;
    Some(String::from_utf8_lossy(line).trim_start_matches('\u{feff}').trim_end_matches('\r').to_owned())
}

/// Whether the line differs from that of a file which exists: then the reader may wonder where it comes from.
fn was_preprocessed(place: &Place) -> bool {
    original_line(place).is_some_and(|line| !line::same_words(&line, place.text))
}

#[cfg(test)]
mod tests;

//! Source lines with notes beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::Span;
use program::Program;
use unicode_width::UnicodeWidthStr;

use crate::columns::{fit, pad};
use crate::interleaving::{Lines, SourceLine, own_files};

/// Notes begin here at the latest; a longer line that has notes is cut.
const WIDEST: usize = 72;

type Noted<'n> = BTreeMap<u32, (String, Vec<&'n str>)>;

/// The user's files, each line with the notes about it. Of a file that cannot be read, only lines with notes.
pub fn listing(program: &Program, notes: &[(Span, String)], lines: Lines<'_>) -> String {
    let mut by_file: BTreeMap<String, Noted<'_>> = BTreeMap::new();
    for (span, note) in notes {
        let place = SourceLine::of(program, *span, lines);
        let noted = by_file.entry(place.file).or_default().entry(place.line).or_default();
        noted.0 = place.text;
        noted.1.push(note);
    }
    let files = own_files(program).into_iter();
    files.map(|file| one(file, by_file.remove(file).unwrap_or_default(), lines)).collect()
}

fn one(file: &str, mut noted: Noted<'_>, lines: Lines<'_>) -> String {
    for (line, text) in (1..).map_while(|line| Some((line, lines(file, line)?))) {
        noted.entry(line).or_default().0 = text;
    }
    let number = noted.keys().next_back().map_or(1, |last| last.to_string().len());
    let shown = |text: &str| fit(&text.replace('\t', "    "), usize::MAX);
    let column = noted.values().filter(|row| !row.1.is_empty()).map(|row| shown(&row.0).width());
    let column = column.max().unwrap_or(0).min(WIDEST);
    let mut out = format!("{file}\n");
    for (line, (text, notes)) in &noted {
        let text = if notes.is_empty() { shown(text) } else { pad(&shown(text), column) };
        let first = notes.first().map_or_else(String::new, |note| format!("  {note}"));
        let _ = writeln!(out, "{}", format!("{line:>number$}  {text}{first}").trim_end());
        for note in notes.iter().skip(1) {
            let _ = writeln!(out, "{}{note}", " ".repeat(number + 2 + column + 2));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_stand_in_a_column() {
        let text = ["int x;", "\tx = 1;", "", "// a long line without notes"];
        let lines = |_: &str, line: u32| text.get(line as usize - 1).map(|line| (*line).to_owned());
        let noted =
            Noted::from([(1, (String::new(), vec!["shared"])), (2, (String::new(), vec!["x is 0", "no lock"]))]);
        let expected = "\
x.c
1  int x;      shared
2      x = 1;  x is 0
               no lock
3
4  // a long line without notes
";
        assert_eq!(one("x.c", noted, &lines), expected);
    }

    #[test]
    fn of_a_file_that_cannot_be_read_only_notes_are_shown() {
        let noted = Noted::from([(12, ("int x;".to_owned(), vec!["shared"]))]);
        assert_eq!(one("x.c", noted, &|_, _| None), "x.c\n12  int x;  shared\n");
    }
}

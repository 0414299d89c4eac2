//! Source texts in one position space. A [`Span`] is eight bytes and names a range of one text;
//! the line markers a preprocessor leaves (`# 12 "file.c"`) lead from there to the file the user wrote.

use std::sync::OnceLock;

/// A range of positions; both ends lie in the same source text. `Span::NONE` stands for no position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const NONE: Span = Span { start: 0, end: 0 };

    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// From the start of `self` to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        match (self == Span::NONE, last == Span::NONE) {
            (true, _) => last,
            (_, true) => self,
            _ => Span { start: self.start.min(last.start), end: last.end.max(self.end) },
        }
    }
}

/// "From position `at` on, lines are those of `file`, the first being `line`."
#[derive(Clone, Debug)]
pub struct LineMarker {
    pub at: u32,
    pub file: u32,
    pub line: u32,
    /// The text comes from a system header.
    pub system: bool,
}

struct Source {
    name: String,
    text: String,
    /// Position of the first byte; the last one's is `start + text.len()`.
    start: u32,
    markers: Vec<LineMarker>,
    /// Made when first asked for, so that a program which is only read pays nothing.
    lines: OnceLock<Lines>,
}

/// Where the lines of a text end.
struct Lines {
    newlines: Vec<u32>,
    /// Every character is one byte: columns need no counting.
    ascii: bool,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32).collect();
        Lines { newlines, ascii: text.is_ascii() }
    }

    /// How many lines end before `offset`.
    fn before(&self, offset: usize) -> usize {
        self.newlines.partition_point(|&n| (n as usize) < offset)
    }
}

/// All source texts of one program.
#[derive(Default)]
pub struct SourceMap {
    sources: Vec<Source>,
    files: Vec<String>,
}

/// Where a span begins, in the user's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place<'s> {
    /// The file the line came from, after line markers.
    pub file: &'s str,
    /// Counted from one.
    pub line: u32,
    /// Counted from one, in characters.
    pub column: u32,
    /// The text of the line as the front end saw it, without its line end.
    pub text: &'s str,
    pub system: bool,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text and returns the position of its first byte; `None` if the position space (4 GB) is full.
    pub fn add(&mut self, name: &str, text: String) -> Option<u32> {
        // Position 0 stays free so that `Span::NONE` names no text.
        let start = self.sources.last().map_or(1, |s| s.start + s.text.len() as u32 + 1);
        let length = u32::try_from(text.len()).ok()?;
        start.checked_add(length)?.checked_add(1)?;
        self.sources.push(Source { name: name.to_owned(), text, start, markers: Vec::new(), lines: OnceLock::new() });
        Some(start)
    }

    /// The text whose first byte has position `start`.
    pub fn text(&self, start: u32) -> &str {
        self.source(start).map_or("", |s| &s.text)
    }

    /// The id under which markers name `file`.
    pub fn file_id(&mut self, file: &str) -> u32 {
        match self.files.iter().rposition(|f| f == file) {
            Some(id) => id as u32,
            None => {
                self.files.push(file.to_owned());
                self.files.len() as u32 - 1
            }
        }
    }

    /// Sets the markers of the text that starts at `start`, in order of position.
    pub fn set_markers(&mut self, start: u32, markers: Vec<LineMarker>) {
        if let Some(i) = self.sources.iter().position(|s| s.start == start) {
            self.sources[i].markers = markers;
        }
    }

    /// The characters that `span` covers.
    pub fn snippet(&self, span: Span) -> &str {
        let Some(source) = self.source(span.start) else { return "" };
        let from = (span.start - source.start) as usize;
        let to = (span.end.saturating_sub(source.start) as usize).min(source.text.len());
        source.text.get(from..to).unwrap_or("")
    }

    /// Does some text have this word?
    pub fn mentions(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let stands_alone =
            |text: &str, at: usize| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part);
        let mut texts = self.sources.iter().map(|source| source.text.as_str());
        texts.any(|text| text.match_indices(word).any(|(at, _)| stands_alone(text, at)))
    }

    pub fn place(&self, span: Span) -> Option<Place<'_>> {
        let source = self.source(span.start)?;
        let offset = (span.start - source.start) as usize;
        let lines = source.lines.get_or_init(|| Lines::of(&source.text));
        let row = lines.before(offset);
        let line_start = row.checked_sub(1).map_or(0, |r| lines.newlines[r] as usize + 1);
        let line_end = lines.newlines.get(row).map_or(source.text.len(), |&n| n as usize);
        let text = source.text.get(line_start..line_end).unwrap_or("").trim_end_matches('\r');
        let column = match lines.ascii {
            true => offset - line_start + 1,
            false => source.text.get(line_start..offset).map_or(0, |t| t.chars().count()) + 1,
        };
        let next = source.markers.partition_point(|m| m.at <= span.start);
        let (file, first, from, system) = match next.checked_sub(1).map(|i| &source.markers[i]) {
            Some(m) => (self.files[m.file as usize].as_str(), m.line, (m.at - source.start) as usize, m.system),
            None => (source.name.as_str(), 1, 0, false),
        };
        let line = first.saturating_add(row.saturating_sub(lines.before(from)) as u32);
        Some(Place { file, line, column: column as u32, text, system })
    }

    fn source(&self, position: u32) -> Option<&Source> {
        let next = self.sources.partition_point(|s| s.start <= position);
        let source = &self.sources[next.checked_sub(1)?];
        (position <= source.start + source.text.len() as u32).then_some(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_lead_to_the_users_file() {
        let mut map = SourceMap::new();
        let start = map.add("a.i", "int a;\n# 7 \"b.c\"\nint b;\n  int c;\n".to_owned()).unwrap();
        let file = map.file_id("b.c");
        map.set_markers(start, vec![LineMarker { at: start + 17, file, line: 7, system: false }]);
        let place = |offset: u32| map.place(Span::new(start + offset, start + offset + 1)).unwrap();
        assert_eq!((place(4).file, place(4).line, place(4).column), ("a.i", 1, 5));
        assert_eq!((place(17).file, place(17).line, place(17).column), ("b.c", 7, 1));
        assert_eq!((place(26).line, place(26).column, place(26).text), (8, 3, "  int c;"));
        assert_eq!(map.place(Span::NONE), None);
    }

    #[test]
    fn words_are_found_whole() {
        let mut map = SourceMap::new();
        map.add("a.c", "int relock(void), lock;".to_owned()).unwrap();
        assert!(map.mentions("lock") && map.mentions("relock"));
        assert!(!map.mentions("loc") && !map.mentions("elock"));
    }

    #[test]
    fn columns_count_characters_and_the_end_of_the_text_has_a_place() {
        let mut map = SourceMap::new();
        map.add("a.c", "x\n".to_owned()).unwrap();
        let start = map.add("b.c", "\nä = ö;\r\nlast".to_owned()).unwrap();
        let place = |offset: u32| map.place(Span::new(start + offset, start + offset)).unwrap();
        assert_eq!((place(0).line, place(0).column, place(0).text), (1, 1, ""));
        assert_eq!((place(6).line, place(6).column, place(6).text), (2, 5, "ä = ö;"));
        assert_eq!((place(15).line, place(15).column, place(15).text), (3, 5, "last"));
    }
}

//! One source line with a mark under a part of it.

use unicode_width::UnicodeWidthChar;

/// Longer lines are cut around the mark.
const WIDTH: usize = 120;
/// How much of a cut line is shown before the mark.
const BEFORE: usize = 40;
const TAB: usize = 4;
/// Characters from here on stand for bytes that are not UTF-8.
const ESCAPED_BYTE: u32 = 0x10_FF00;

pub struct Marked {
    pub text: String,
    /// Blanks as wide as the text before the mark.
    pub indent: String,
    pub mark: String,
}

impl Marked {
    /// `column` counts characters from one; `snippet` is what to mark, as far as it is on this line.
    pub fn new(line: &str, column: usize, snippet: &str) -> Marked {
        let start = column.saturating_sub(1);
        let length = snippet.lines().next().unwrap_or("").chars().count().max(1);
        let skip = if line.chars().nth(WIDTH).is_some() { start.saturating_sub(BEFORE) } else { 0 };
        let mut marked = Marked { text: String::new(), indent: String::new(), mark: String::new() };
        if skip > 0 {
            marked.text.push_str("...");
            marked.indent.push_str("   ");
        }
        let shown = line.chars().skip(skip).take(WIDTH);
        for (at, c) in (skip..).zip(shown) {
            let width = push(&mut marked.text, c);
            match at {
                _ if at < start => marked.indent.push_str(&" ".repeat(width)),
                _ if at < start + length => marked.mark.push_str(&"^".repeat(width)),
                _ => {}
            }
        }
        if line.chars().nth(skip + WIDTH).is_some() {
            marked.text.push_str("...");
        }
        if marked.mark.is_empty() {
            marked.mark.push('^');
        }
        marked.text.truncate(marked.text.trim_end().len());
        marked
    }
}

/// Writes `c` so that no terminal does anything with it, and returns how wide it is.
fn push(text: &mut String, c: char) -> usize {
    if c == '\t' {
        text.push_str(&" ".repeat(TAB));
        return TAB;
    }
    let c = printable(c);
    text.push(c);
    c.width().unwrap_or(1)
}

/// Control characters and bytes that are not UTF-8 as the replacement character; a line end in a message stays.
pub fn printable(c: char) -> char {
    let control = c.is_control() && c != '\n';
    let direction = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    if control || direction || u32::from(c) >= ESCAPED_BYTE { char::REPLACEMENT_CHARACTER } else { c }
}

/// Where in `line` the text `snippet` stands, if before it there is just `before`, blanks and comments aside.
pub fn column_after(line: &str, before: &str, snippet: &str) -> Option<usize> {
    let mut words = words(line);
    for wanted in significant(before) {
        words.next().filter(|(_, c)| *c == wanted)?;
    }
    let mut rest = words.peekable();
    let column = rest.peek().map(|(at, _)| at + 1);
    for wanted in significant(snippet) {
        rest.next().filter(|(_, c)| *c == wanted)?;
    }
    column
}

pub fn same_words(line: &str, other: &str) -> bool {
    words(line).map(|(_, c)| c).eq(words(other).map(|(_, c)| c))
}

fn significant(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| is_significant(*c))
}

fn is_significant(c: char) -> bool {
    !c.is_whitespace() && c != char::REPLACEMENT_CHARACTER && u32::from(c) < ESCAPED_BYTE
}

/// The significant characters of a line as it was written, comments left out, with their index.
fn words(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut chars = line.chars().enumerate().peekable();
    let mut quote = None;
    std::iter::from_fn(move || {
        loop {
            let (at, c) = chars.next()?;
            match (quote, c, chars.peek().map(|(_, next)| *next)) {
                (None, '/', Some('/')) => return None,
                (None, '/', Some('*')) => {
                    let mut last = ' ';
                    chars.next();
                    while let Some((_, c)) = chars.next()
                        && !(last == '*' && c == '/')
                    {
                        last = c;
                    }
                    continue;
                }
                (None, '"' | '\'', _) => quote = Some(c),
                (Some(open), _, _) if c == open => quote = None,
                _ => {}
            }
            if is_significant(c) {
                return Some((at, c));
            }
        }
    })
}

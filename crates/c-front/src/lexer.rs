//! Preprocessed text to tokens. What stands between the tokens and still matters (line markers, `#pragma pack`, ACSL
//! assertions) is kept in tables beside them, so that the parser's token stream is plain C.

mod comment;
mod directive;
pub(crate) mod literal;
mod token;

use base::{Diagnostic, Interner, LineMarker, SourceMap, Span, Symbol};

pub use token::{Token, TokenKind};

/// The loader turns a byte that is not UTF-8 into the character `ESCAPED_BYTE + byte`; literals give the byte back.
pub const ESCAPED_BYTE: u32 = 0x10_FF00;

/// Everything found in one text.
#[derive(Debug, Default)]
pub struct Lexed {
    /// Ends with tokens of kind `Eof`, enough of them for the parser's lookahead.
    pub tokens: Vec<Token>,
    /// What stopped the lexer. The tokens before it are there, so an earlier syntax error can be told first.
    pub error: Option<Box<Diagnostic>>,
    pub(crate) packs: Vec<Pack>,
    pub(crate) acsl: Vec<AcslComment>,
    markers: Vec<Marker>,
    files: Vec<String>,
}

/// From token `from` on, `#pragma pack` has this value.
#[derive(Debug)]
pub(crate) struct Pack {
    pub from: u32,
    pub value: Option<u8>,
}

/// A comment `/*@ assert … */` that stands before token `before`.
#[derive(Debug)]
pub(crate) struct AcslComment {
    pub before: u32,
    /// As in [`Lexed::tokens`]; the word `assert` comes first.
    pub tokens: Vec<Token>,
    pub span: Span,
}

#[derive(Debug)]
struct Marker {
    at: u32,
    /// Index into the files; none until a marker named one.
    file: Option<usize>,
    line: u32,
    system: bool,
}

impl Lexed {
    /// Tells the source map how lines of the text at `start`, called `name`, lead to the user's files.
    pub fn record_markers(&self, sources: &mut SourceMap, start: u32, name: &str) {
        let markers = self.markers.iter().map(|marker| {
            let file = sources.file_id(marker.file.map_or(name, |index| &self.files[index]));
            LineMarker { at: marker.at, file, line: marker.line, system: marker.system }
        });
        let markers = markers.collect();
        sources.set_markers(start, markers);
    }
}

/// Splits `text` into tokens. `start` is the position of its first byte; `names` is new or was used by `lex` before.
pub fn lex(text: &str, start: u32, names: &mut Interner) -> Lexed {
    token::reserve_keywords(names);
    let mut lexer = Lexer::new(text, start, names);
    lexer.out.tokens.reserve(text.len() / 5 + EOF_TOKENS);
    if text.starts_with('\u{feff}') {
        lexer.position = '\u{feff}'.len_utf8();
    }
    lexer.run();
    lexer.out
}

const EOF_TOKENS: usize = 4;

type Lex<T> = Result<T, Box<Diagnostic>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Newline,
    Letter,
    Digit,
    Other,
}

const CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'\n' => Class::Newline,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    start: u32,
    position: usize,
    /// Where the current line begins.
    line: usize,
    names: &'t mut Interner,
    out: Lexed,
    pack: Option<u8>,
    pack_stack: Vec<(Option<Symbol>, Option<u8>)>,
    /// Inside an ACSL comment, where `@` is a blank and there are no directives.
    acsl: bool,
}

impl<'t> Lexer<'t> {
    fn new(text: &'t str, start: u32, names: &'t mut Interner) -> Self {
        Lexer {
            text,
            bytes: text.as_bytes(),
            start,
            position: 0,
            line: 0,
            names,
            out: Lexed::default(),
            pack: None,
            pack_stack: Vec::new(),
            acsl: false,
        }
    }

    fn run(&mut self) {
        if let Err(error) = self.tokens() {
            self.out.error = Some(error);
        }
        let end = self.start + self.bytes.len() as u32;
        let eof = Token { kind: TokenKind::Eof, start: end, end, symbol: Symbol(u32::MAX) };
        self.out.tokens.extend([eof; EOF_TOKENS]);
    }

    fn tokens(&mut self) -> Lex<()> {
        while let Some(&byte) = self.bytes.get(self.position) {
            match CLASS[byte as usize] {
                Class::Blank => self.position += 1,
                Class::Newline => {
                    self.position += 1;
                    self.line = self.position;
                }
                Class::Letter => self.word()?,
                Class::Digit => self.number(),
                Class::Other => self.other(byte)?,
            }
        }
        Ok(())
    }

    fn byte(&self, position: usize) -> u8 {
        self.bytes.get(position).copied().unwrap_or(0)
    }

    /// The byte at `position` and the position behind it, spliced lines joined.
    #[inline]
    fn joined(&self, position: usize) -> (u8, usize) {
        match self.byte(position) {
            b'\\' => match splice_length(&self.bytes[position..]) {
                0 => (b'\\', position + 1),
                length => self.joined_slow(position + length),
            },
            byte => (byte, position + 1),
        }
    }

    #[cold]
    fn joined_slow(&self, mut position: usize) -> (u8, usize) {
        while position < self.bytes.len() {
            match splice_length(&self.bytes[position..]) {
                0 => break,
                length => position += length,
            }
        }
        (self.byte(position), position + 1)
    }

    fn span(&self, from: usize, to: usize) -> Span {
        let end = to.min(self.bytes.len());
        Span::new(self.start + from as u32, self.start + end as u32)
    }

    fn error<T>(&self, from: usize, to: usize, message: impl Into<String>, help: &str) -> Lex<T> {
        Err(Box::new(Diagnostic::error(self.span(from, to), message).help(help)))
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, from: usize, symbol: Symbol) {
        let (start, end) = (self.start + from as u32, self.start + self.position as u32);
        self.out.tokens.push(Token { kind, start, end, symbol });
    }

    fn word(&mut self) -> Lex<()> {
        let from = self.position;
        let mut end = from + 1;
        while matches!(CLASS[self.byte(end) as usize], Class::Letter | Class::Digit) {
            end += 1;
        }
        match self.byte(end) {
            b'\\' | 0x80.. => return self.unusual_word(),
            quote @ (b'"' | b'\'') if end - from <= 3 && is_prefix(&self.bytes[from..end]) => {
                return self.quoted(from, end, quote);
            }
            _ => {}
        }
        let symbol = self.names.intern(&self.text[from..end]);
        self.position = end;
        self.push_word(from, symbol)
    }

    #[inline]
    fn push_word(&mut self, from: usize, symbol: Symbol) -> Lex<()> {
        match token::kind_of(symbol) {
            TokenKind::Pragma => self.pragma_operator(from),
            kind => {
                self.push(kind, from, symbol);
                Ok(())
            }
        }
    }

    /// An identifier with line splices, universal character names or characters beyond ASCII.
    #[cold]
    fn unusual_word(&mut self) -> Lex<()> {
        let from = self.position;
        let mut name = String::new();
        loop {
            let (byte, next) = self.joined(self.position);
            match (byte, CLASS[byte as usize]) {
                (_, Class::Letter | Class::Digit) => {
                    name.push(byte as char);
                    self.position = next;
                }
                (b'\\', _) => match literal::universal_name(&self.text[next..]) {
                    Some((character, length)) => {
                        name.push(character);
                        self.position = next + length;
                    }
                    None => break,
                },
                (0x80.., _) => match self.text[next - 1..].chars().next().filter(|&c| in_identifier(c)) {
                    Some(character) => {
                        name.push(character);
                        self.position = next - 1 + character.len_utf8();
                    }
                    None => break,
                },
                _ => break,
            }
        }
        if name.is_empty() {
            return self.stray(from);
        }
        if matches!(self.byte(self.position), b'"' | b'\'') && is_prefix(name.as_bytes()) {
            return self.quoted(from, self.position, self.byte(self.position));
        }
        let symbol = self.names.intern(&name);
        self.push_word(from, symbol)
    }

    fn stray<T>(&self, from: usize) -> Lex<T> {
        let character = self.text[from..].chars().next().unwrap_or(' ');
        let shown = match character as u32 {
            code if code > ESCAPED_BYTE => format!("byte 0x{:02x}", code - ESCAPED_BYTE),
            code if character.is_control() || character.is_whitespace() => format!("character U+{code:04X}"),
            _ => format!("‘{character}’"),
        };
        let message = format!("stray {shown} in the program");
        self.error(from, from + character.len_utf8(), message, "remove it: C has no use for this character here")
    }

    fn number(&mut self) {
        let from = self.position;
        let mut exponent = false;
        loop {
            let (byte, next) = self.joined(self.position);
            let more = match byte {
                b'+' | b'-' => exponent,
                b'.' => true,
                _ => matches!(CLASS[byte as usize], Class::Letter | Class::Digit),
            };
            if !more {
                break;
            }
            exponent = matches!(byte, b'e' | b'E' | b'p' | b'P');
            self.position = next;
        }
        self.push(TokenKind::Number, from, Symbol(u32::MAX));
    }

    /// A string or character constant whose quote stands at `open`, behind its prefix.
    fn quoted(&mut self, from: usize, open: usize, quote: u8) -> Lex<()> {
        let raw = quote == b'"' && self.bytes[from..open].ends_with(b"R");
        let end = if raw { raw_string_end(&self.text[open..]) } else { quoted_end(&self.bytes[open..], quote) };
        let Some(length) = end else {
            let (what, mark) = if quote == b'"' { ("string", '"') } else { ("character", '\'') };
            let line_end = self.bytes[open..].iter().position(|&b| b == b'\n').map_or(self.bytes.len(), |n| open + n);
            let help = format!("add the missing {mark} before the end of the line");
            return self.error(from, line_end, format!("this {what} constant has no closing {mark}"), &help);
        };
        self.position = open + length;
        self.push(if quote == b'"' { TokenKind::String } else { TokenKind::Char }, from, Symbol(u32::MAX));
        Ok(())
    }

    fn other(&mut self, byte: u8) -> Lex<()> {
        let from = self.position;
        match byte {
            b'"' | b'\'' => return self.quoted(from, from, byte),
            b'/' => match self.joined(from + 1) {
                (b'*', body) => return self.block_comment(body),
                (b'/', body) => return self.line_comment(body),
                _ => {}
            },
            b'.' if self.joined(from + 1).0.is_ascii_digit() => {
                self.number();
                return Ok(());
            }
            b'\\' if self.acsl && self.truth_value() => return Ok(()),
            b'\\' => {
                return match splice_length(&self.bytes[from..]) {
                    0 => self.unusual_word(),
                    length => {
                        self.position += length;
                        Ok(())
                    }
                };
            }
            0x80.. => return self.unusual_word(),
            b'@' if self.acsl => {
                self.position += 1;
                return Ok(());
            }
            b'#' if !self.acsl && self.at_line_start() => return self.directive(from + 1),
            b'%' if self.byte(from + 1) == b':' && !self.acsl && self.at_line_start() => {
                return self.directive(from + 2);
            }
            _ => {}
        }
        match self.punctuator(byte) {
            Some((kind, end)) => {
                self.position = end;
                self.push(kind, from, Symbol(u32::MAX));
                Ok(())
            }
            None => self.stray(from),
        }
    }

    fn at_line_start(&self) -> bool {
        self.out.tokens.last().is_none_or(|token| token.end <= self.start + self.line as u32)
    }

    fn punctuator(&self, byte: u8) -> Option<(TokenKind, usize)> {
        use TokenKind::*;
        let one = self.position + 1;
        let (next, two) = self.joined(one);
        let choose = |options: &[(u8, TokenKind)], alone: TokenKind| {
            options.iter().find(|(second, _)| *second == next).map_or((alone, one), |&(_, kind)| (kind, two))
        };
        Some(match byte {
            b'(' => (LeftParen, one),
            b')' => (RightParen, one),
            b'[' => (LeftBracket, one),
            b']' => (RightBracket, one),
            b'{' => (LeftBrace, one),
            b'}' => (RightBrace, one),
            b';' => (Semicolon, one),
            b',' => (Comma, one),
            b'?' => (Question, one),
            b'~' => (Tilde, one),
            b':' => choose(&[(b'>', RightBracket)], Colon),
            b'=' => choose(&[(b'=', EqEq)], Eq),
            b'!' => choose(&[(b'=', Ne)], Bang),
            b'*' => choose(&[(b'=', StarEq)], Star),
            b'/' => choose(&[(b'=', SlashEq)], Slash),
            b'%' => choose(&[(b'=', PercentEq), (b'>', RightBrace)], Percent),
            b'^' => choose(&[(b'=', CaretEq)], Caret),
            b'+' => choose(&[(b'=', PlusEq), (b'+', PlusPlus)], Plus),
            b'-' => choose(&[(b'=', MinusEq), (b'-', MinusMinus), (b'>', Arrow)], Minus),
            b'&' => choose(&[(b'=', AmpEq), (b'&', AmpAmp)], Amp),
            b'|' => choose(&[(b'=', PipeEq), (b'|', PipePipe)], Pipe),
            b'<' if next == b'<' && self.joined(two).0 == b'=' => (ShlEq, self.joined(two).1),
            b'<' => choose(&[(b'=', Le), (b'<', Shl), (b':', LeftBracket), (b'%', LeftBrace)], Lt),
            b'>' if next == b'>' && self.joined(two).0 == b'=' => (ShrEq, self.joined(two).1),
            b'>' => choose(&[(b'=', Ge), (b'>', Shr)], Gt),
            b'.' if next == b'.' && self.joined(two).0 == b'.' => (Ellipsis, self.joined(two).1),
            b'.' => (Dot, one),
            _ => return None,
        })
    }
}

/// How many bytes of `rest` are a backslash and the line end behind it (blanks between them are let pass, as by gcc).
pub(crate) fn splice_length(rest: &[u8]) -> usize {
    if rest.first() != Some(&b'\\') {
        return 0;
    }
    let blanks = rest[1..].iter().take_while(|&&b| matches!(b, b' ' | b'\t' | b'\r')).count();
    if rest.get(1 + blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
}

fn is_prefix(word: &[u8]) -> bool {
    matches!(word, b"L" | b"u" | b"U" | b"u8" | b"R" | b"LR" | b"uR" | b"UR" | b"u8R")
}

fn in_identifier(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && (character as u32) < ESCAPED_BYTE
        && character != '\u{feff}'
}

/// The length of a literal that begins with its quote; `None` if the line ends first.
fn quoted_end(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += splice_length(&bytes[at..]).max(2),
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The length of `"delimiter(…)delimiter"`.
fn raw_string_end(text: &str) -> Option<usize> {
    let open = text.find('(')?;
    let delimiter = &text[1..open];
    if delimiter.len() > 16 || delimiter.contains([' ', ')', '\\', '\n', '"']) {
        return None;
    }
    let close = format!("){delimiter}\"");
    Some(open + text[open..].find(&close)? + close.len())
}

#[cfg(test)]
mod tests;

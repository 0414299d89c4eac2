//! Lines that begin with `#`: line markers and `#pragma pack`. Others that a preprocessor leaves are skipped.

use base::Symbol;

use super::literal::unquote;
use super::{Lex, Lexer, Marker, Pack, TokenKind};

impl Lexer<'_> {
    /// `body` is the position behind the `#`.
    pub(super) fn directive(&mut self, body: usize) -> Lex<()> {
        let from = self.position;
        let end = self.line_end(body);
        let line = &self.text[body..end];
        let word = line.trim_start();
        let name_length = word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let (name, rest) = word.split_at(name_length);
        self.position = end;
        match name {
            "" if word.trim().is_empty() => {}
            "line" => self.line_marker(from, end, rest)?,
            "pragma" => self.pragma(rest),
            "ident" | "sccs" | "define" | "undef" | "assert" | "unassert" => {}
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => self.line_marker(from, end, word)?,
            _ => {
                let message = format!("preprocessor directive ‘#{name}’ in text that is not preprocessed again");
                let help =
                    "give the file the ending .c so that the C preprocessor is run, or preprocess it with ‘cc -E’";
                return self.error(from, end, message, help);
            }
        }
        Ok(())
    }

    /// The end of the logical line at `position`, before its line feed. A comment may hide line ends.
    fn line_end(&self, mut position: usize) -> usize {
        while position < self.bytes.len() {
            match self.bytes[position] {
                b'\n' => return position,
                b'\\' => position += super::splice_length(&self.bytes[position..]).max(1),
                b'/' if self.byte(position + 1) == b'*' => {
                    let close = self.text[position + 2..].find("*/");
                    position = close.map_or(self.bytes.len(), |length| position + length + 4);
                }
                _ => position += 1,
            }
        }
        self.bytes.len()
    }

    /// `12 "file" flags`
    fn line_marker(&mut self, from: usize, end: usize, text: &str) -> Lex<()> {
        let text = text.trim();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(line) = text[..digits].parse::<u32>() else {
            return self.error(from, end, "this line marker has no line number", "write ‘# 12 \"file.c\"’");
        };
        let (mut file, mut system) = self.out.markers.last().map_or((None, false), |last| (last.file, last.system));
        if let Some((name, flags)) = unquote(text[digits..].trim_start()) {
            file = Some(self.file_index(name));
            system = flags.split_ascii_whitespace().any(|flag| flag == "3");
        }
        let at = self.start + (end + 1).min(self.bytes.len()) as u32;
        self.out.markers.push(Marker { at, file, line, system });
        Ok(())
    }

    fn file_index(&mut self, name: String) -> usize {
        match self.out.files.iter().rposition(|file| *file == name) {
            Some(index) => index,
            None => {
                self.out.files.push(name);
                self.out.files.len() - 1
            }
        }
    }

    /// `_Pragma("…")`, whose word ended at the current position.
    pub(super) fn pragma_operator(&mut self, from: usize) -> Lex<()> {
        let first = self.out.tokens.len();
        while self.out.tokens.len() < first + 3 && self.position < self.bytes.len() {
            let byte = self.bytes[self.position];
            match super::CLASS[byte as usize] {
                super::Class::Blank => self.position += 1,
                super::Class::Newline => {
                    self.position += 1;
                    self.line = self.position;
                }
                super::Class::Other => self.other(byte)?,
                super::Class::Letter | super::Class::Digit => break,
            }
        }
        let kinds: Vec<_> = self.out.tokens[first..].iter().map(|token| token.kind).collect();
        if kinds != [TokenKind::LeftParen, TokenKind::String, TokenKind::RightParen] {
            let help = "write _Pragma(\"text\")";
            return self.error(from, self.position, "‘_Pragma’ takes a string in parentheses", help);
        }
        let span = self.out.tokens[first + 1].span();
        self.out.tokens.truncate(first);
        let literal = &self.text[(span.start - self.start) as usize..(span.end - self.start) as usize];
        if let Some((text, _)) = unquote(literal) {
            self.pragma(&text);
        }
        Ok(())
    }

    fn pragma(&mut self, text: &str) {
        let Some(rest) = text.trim_start().strip_prefix("pack") else { return };
        let Some((arguments, _)) = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return;
        };
        self.pack_arguments(arguments);
        self.out.packs.push(Pack { from: self.out.tokens.len() as u32, value: self.pack });
    }

    /// `push`, `pop`, an identifier and a number in the combinations gcc knows; anything else has no effect there.
    fn pack_arguments(&mut self, arguments: &str) {
        let mut words = arguments.split(',').map(str::trim).filter(|word| !word.is_empty()).peekable();
        let action = words.next_if(|word| matches!(*word, "push" | "pop"));
        let name = words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
        let name = name.map(|name| self.names.intern(name));
        let number = words.next().map(|word| word.parse::<u8>().ok().filter(|n| n.is_power_of_two() && *n <= 16));
        match (action, number) {
            (Some("push"), _) => {
                self.pack_stack.push((name, self.pack));
                self.pack = number.unwrap_or(self.pack);
            }
            (Some(_), _) => self.pop_pack(name),
            (None, Some(value)) => self.pack = value,
            (None, None) => self.pack = None,
        }
    }

    fn pop_pack(&mut self, name: Option<Symbol>) {
        let found = match name {
            Some(_) => self.pack_stack.iter().rposition(|(pushed, _)| *pushed == name),
            None => self.pack_stack.len().checked_sub(1),
        };
        if let Some(index) = found {
            self.pack = self.pack_stack[index].1;
            self.pack_stack.truncate(index);
        }
    }
}

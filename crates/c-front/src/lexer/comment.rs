//! Comments, and the ACSL assertions that some of them are.

use base::Symbol;

use super::{AcslComment, Lex, Lexer, TokenKind};

/// ACSL's `\true` and `\false`, which literals know as numbers.
const TRUTH_VALUES: [&str; 2] = ["\\true", "\\false"];

impl Lexer<'_> {
    pub(super) fn block_comment(&mut self, body: usize) -> Lex<()> {
        let from = self.position;
        let mut end = body;
        loop {
            let Some(star) = self.bytes[end..].iter().position(|&b| b == b'*') else {
                return self.error(from, from + 2, "this comment is never closed", "close it with */");
            };
            end += star + 1;
            if let (b'/', next) = self.joined(end) {
                self.position = next;
                break;
            }
        }
        if self.byte(body) == b'@' && !self.acsl {
            self.acsl_comment(from, body + 1, end - 1);
        }
        Ok(())
    }

    pub(super) fn line_comment(&mut self, body: usize) -> Lex<()> {
        let from = self.position;
        let mut end = body;
        loop {
            end = self.bytes[end..].iter().position(|&b| b == b'\n').map_or(self.bytes.len(), |n| end + n);
            let line = self.bytes[..end].strip_suffix(b"\r").unwrap_or(&self.bytes[..end]);
            if end == self.bytes.len() || !line.ends_with(b"\\") {
                break;
            }
            end += 1;
        }
        self.position = end;
        if self.byte(body) == b'@' && !self.acsl {
            self.acsl_comment(from, body + 1, end);
        }
        Ok(())
    }

    pub(super) fn truth_value(&mut self) -> bool {
        let from = self.position;
        let Some(word) = TRUTH_VALUES.iter().find(|word| self.text[from..].starts_with(**word)) else { return false };
        self.position += word.len();
        self.push(TokenKind::Number, from, Symbol(u32::MAX));
        true
    }

    /// Keeps the comment if it asserts something; all other annotations are comments.
    fn acsl_comment(&mut self, from: usize, body: usize, end: usize) {
        let text = &self.text[..end];
        let skipped = text[body..].len() - text[body..].trim_start_matches([' ', '\t', '\r', '\n', '@']).len();
        let first = body + skipped;
        let is_assertion = text[first..]
            .strip_prefix("assert")
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        if !is_assertion {
            return;
        }
        let mut inner = Lexer { position: first, acsl: true, ..Lexer::new(text, self.start, self.names) };
        inner.run();
        // A character that C does not know leaves the comment without its semicolon, which the parser then reports.
        let tokens = inner.out.tokens;
        let span = self.span(from, self.position);
        self.out.acsl.push(AcslComment { before: self.out.tokens.len() as u32, tokens, span });
    }
}

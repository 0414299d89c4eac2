//! Words, numbers, strings and signs of a specification, each with its place.

use base::{Diagnostic, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Word(String),
    /// `$name`
    Value(String),
    Number(i128),
    Text(String),
    Sign(&'static str),
    End,
}

impl Token {
    /// For messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("‘{word}’"),
            Token::Value(name) => format!("‘${name}’"),
            Token::Number(number) => format!("‘{number}’"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Sign(sign) => format!("‘{sign}’"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "...", "->", "==", "!=", "<=", ">=", "&&", "||", "{", "}", "(", ")", "[", "]", ";", ":", ",", ".", "<", ">", "!",
    "&", "+", "-",
];

/// The tokens of `text`, whose first byte has position `start`; the last one is the end.
pub fn tokens(text: &str, start: u32) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut lexer = Lexer { text, at: 0, start };
    let mut tokens = Vec::new();
    loop {
        lexer.skip();
        let from = lexer.at;
        let token = lexer.token()?;
        let done = token == Token::End;
        tokens.push((token, lexer.span(from)));
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    start: u32,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn span(&self, from: usize) -> Span {
        Span::new(self.start + from as u32, self.start + self.at as u32)
    }

    fn take(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Blanks and comments.
    fn skip(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if !self.rest().starts_with("//") {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, Diagnostic> {
        let from = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(Token::End) };
        if is_word(first) && !first.is_ascii_digit() {
            return Ok(Token::Word(self.take(is_word).to_owned()));
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        match first {
            '$' => {
                self.at += 1;
                let name = self.take(is_word).to_owned();
                let wrong = || Diagnostic::error(self.span(from), "‘$’ without a name").help("write for example $m");
                if name.is_empty() { Err(wrong()) } else { Ok(Token::Value(name)) }
            }
            '"' => self.string(),
            _ => {
                let rest = self.rest();
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                self.at += sign.map_or(first.len_utf8(), |sign| sign.len());
                sign.map(|sign| Token::Sign(sign)).ok_or_else(|| {
                    let message = format!("‘{first}’ has no meaning in a specification");
                    let help = if first == '=' { "compare with ==" } else { "see `heddle explain specifications`" };
                    Diagnostic::error(self.span(from), message).help(help)
                })
            }
        }
    }

    fn number(&mut self) -> Result<Token, Diagnostic> {
        let from = self.at;
        let word = self.take(is_word);
        let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.map(Token::Number).map_err(|_| {
            Diagnostic::error(self.span(from), format!("‘{word}’ is no number"))
                .help("numbers are decimal, or hexadecimal with 0x")
        })
    }

    fn string(&mut self) -> Result<Token, Diagnostic> {
        let from = self.at;
        self.at += 1;
        let text = self.take(|c| c != '"' && c != '\n').to_owned();
        if !self.rest().starts_with('"') {
            return Err(Diagnostic::error(self.span(from), "the text has no end").help("end it with \" on its line"));
        }
        self.at += 1;
        Ok(Token::Text(text))
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

//! The one message a syntax error gives, worded like gcc's, with what to do about it.

use base::Diagnostic;

use super::{MAX_NESTING, Parser};
use crate::lexer::TokenKind;

const DEFAULT_HELP: &str = "the text must be C that ‘gcc -std=gnu11 -fsyntax-only’ accepts";

/// What lies one level below another of its kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Nested {
    Expression,
    Statement,
    Declarator,
    Record,
    Initializer,
}

impl Parser<'_> {
    #[cold]
    pub(super) fn expected_token(&self, kind: TokenKind) -> Box<Diagnostic> {
        let what = format!("‘{}’", kind.text());
        let help = match kind {
            TokenKind::Semicolon => "add the missing ‘;’".to_owned(),
            TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => {
                format!("add the missing {what}, or remove its opening partner")
            }
            _ => DEFAULT_HELP.to_owned(),
        };
        let mut error = self.expected_with_help(&what, help);
        if kind == TokenKind::Semicolon && self.kind() != TokenKind::Eof && self.position > 0 {
            let previous = self.previous();
            error.notes.push((previous, "‘;’ may be missing behind this".to_owned()));
        }
        error
    }

    #[cold]
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        self.expected_with_help(what, DEFAULT_HELP.to_owned())
    }

    fn expected_with_help(&self, what: &str, help: String) -> Box<Diagnostic> {
        let place = match self.kind() {
            TokenKind::Eof => match self.lexed.error.clone() {
                Some(error) => return error,
                None => return self.ends_too_early(what, help),
            },
            kind @ (TokenKind::Number | TokenKind::Char | TokenKind::String) => kind.text().to_owned(),
            _ => format!("‘{}’", self.source(self.span())),
        };
        Box::new(Diagnostic::error(self.span(), format!("expected {what} before {place}")).help(help))
    }

    fn ends_too_early(&self, what: &str, help: String) -> Box<Diagnostic> {
        let error = Diagnostic::error(self.span(), format!("expected {what} at end of input"));
        Box::new(match self.open.last() {
            Some(token) => {
                let bracket = token.kind.text();
                error
                    .note(token.span(), format!("this ‘{bracket}’ is still open"))
                    .help("is the end of the file missing?")
            }
            None => error.help(help),
        })
    }

    #[cold]
    pub(super) fn error(&self, message: impl Into<String>, help: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(self.span(), message).help(help))
    }

    /// For a name that stands where only a type makes sense of what follows.
    #[cold]
    pub(super) fn unknown_type(&self, span: base::Span) -> Box<Diagnostic> {
        let message = format!("unknown type name ‘{}’", self.source(span));
        let help = "declare it with ‘typedef’ before, or include the header that does";
        Box::new(Diagnostic::error(span, message).help(help))
    }

    #[cold]
    pub(super) fn nested_too_deeply(&self, what: Nested) -> Box<Diagnostic> {
        let labelled = self.position > 0 && self.lexed.tokens[self.position - 1].kind == TokenKind::Colon;
        let help = match what {
            Nested::Expression => "split the expression into smaller ones",
            Nested::Statement if labelled => {
                "each label contains the next one: put a ‘;’ between some of them, or write ranges as in ‘case 0 ... 9:’"
            }
            Nested::Statement => "move the inner statements to a function of their own",
            Nested::Declarator => "name parts of the type with ‘typedef’",
            Nested::Record => "declare the inner types before the outer one",
            Nested::Initializer => "split the initialiser into assignments",
        };
        self.error(format!("nested too deeply: the limit is {MAX_NESTING} levels"), help)
    }
}

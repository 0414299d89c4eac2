//! Recursive descent over the grammar of GNU C11, with precedence climbing for binary operators.
//!
//! The parser knows one thing about names: which of them are typedef names here (`scope`), because C's grammar
//! cannot do without. It hands over one external declaration at a time and stops at the first error.

mod acsl;
mod asm;
mod attribute;
mod declaration;
mod declarator;
mod error;
mod expression;
mod initializer;
mod primary;
mod record;
mod scope;
mod specifiers;
mod statement;

use base::{Diagnostic, Interner, Span, Symbol};

use crate::ast::ExternalDecl;
use crate::lexer::{Lexed, Token, TokenKind};
use error::Nested;
use scope::Scopes;

/// How deep the syntax tree may become. Nested brackets and statements, and the links of chains such as `a + b + c` or
/// `else if`, count alike: everything that walks the tree, its destructor included, recurses over both.
pub const MAX_NESTING: u32 = 10_000;

type Parse<T> = Result<T, Box<Diagnostic>>;

pub struct Parser<'t> {
    text: &'t str,
    start: u32,
    lexed: Lexed,
    names: Interner,
    position: usize,
    scopes: Scopes,
    /// The brackets that are open, for the message when the text ends too early.
    open: Vec<Token>,
    /// How many levels the parser is inside.
    depth: u32,
    /// The height of the highest tree finished on this level.
    height: u32,
    next_acsl: usize,
    warnings: Vec<Diagnostic>,
    failed: bool,
}

impl<'t> Parser<'t> {
    /// `lexed` is what [`crate::lexer::lex`] made of `text` with the same `start`.
    pub fn new(text: &'t str, start: u32, lexed: Lexed) -> Self {
        Parser {
            text,
            start,
            lexed,
            names: Interner::new(),
            position: 0,
            scopes: Scopes::default(),
            open: Vec::new(),
            depth: 0,
            height: 0,
            next_acsl: 0,
            warnings: Vec::new(),
            failed: false,
        }
    }

    /// The next declaration at file scope; `None` at the end of the text and after an error. `names` are those that the
    /// text was split with.
    pub fn next_external(&mut self, names: &mut Interner) -> Option<Result<ExternalDecl, Diagnostic>> {
        if self.failed {
            return None;
        }
        std::mem::swap(&mut self.names, names);
        let result = self.next();
        std::mem::swap(&mut self.names, names);
        self.failed = matches!(result, Some(Err(_)));
        result.map(|result| result.map_err(|error| *error))
    }

    /// Warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    fn next(&mut self) -> Option<Parse<ExternalDecl>> {
        self.height = 0;
        while matches!(self.kind(), TokenKind::Semicolon) {
            self.bump();
        }
        if self.kind() == TokenKind::Eof {
            self.skip_acsl();
            return self.lexed.error.take().map(Err);
        }
        Some(self.external_declaration())
    }

    #[inline]
    fn token(&self) -> &Token {
        &self.lexed.tokens[self.position]
    }

    #[inline]
    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    /// The kind of the token `ahead` places further on; at most two.
    #[inline]
    fn peek(&self, ahead: usize) -> TokenKind {
        self.lexed.tokens[self.position + ahead].kind
    }

    #[inline]
    fn span(&self) -> Span {
        self.token().span()
    }

    /// The span of the token before the current one.
    fn previous(&self) -> Span {
        self.position.checked_sub(1).map_or(Span::NONE, |index| self.lexed.tokens[index].span())
    }

    /// From `first` to the last token taken.
    fn since(&self, first: Span) -> Span {
        first.to(self.previous())
    }

    fn source(&self, span: Span) -> &'t str {
        &self.text[(span.start - self.start) as usize..(span.end - self.start) as usize]
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = *self.token();
        if token.kind != TokenKind::Eof {
            self.position += 1;
        }
        token
    }

    #[inline]
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.position += 1;
        }
        found
    }

    #[inline]
    fn expect(&mut self, kind: TokenKind) -> Parse<Span> {
        if self.kind() == kind { Ok(self.bump().span()) } else { Err(self.expected_token(kind)) }
    }

    fn identifier(&mut self) -> Parse<(Symbol, Span)> {
        if self.kind() != TokenKind::Identifier {
            return Err(self.expected("identifier"));
        }
        let token = self.bump();
        Ok((token.symbol, token.span()))
    }

    /// Takes an opening bracket; [`Parser::close`] takes its partner.
    fn open(&mut self, kind: TokenKind) -> Parse<Span> {
        let token = *self.token();
        let span = self.expect(kind)?;
        self.open.push(token);
        Ok(span)
    }

    fn close(&mut self, kind: TokenKind) -> Parse<Span> {
        let span = self.expect(kind)?;
        self.open.pop();
        Ok(span)
    }

    /// `( … )`
    fn parenthesised<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.open(TokenKind::LeftParen)?;
        let result = parse(self)?;
        self.close(TokenKind::RightParen)?;
        Ok(result)
    }

    /// Parses an expression, or something else that contains one, that lies one level deeper in the tree.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.deeper_in(Nested::Expression, parse)
    }

    /// Parses something that lies one level deeper in the tree.
    fn deeper_in<T>(&mut self, what: Nested, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.nested_too_deeply(what));
        }
        self.depth += 1;
        let result = self.apart(|parser| {
            let result = parse(parser)?;
            parser.add_link_in(what)?;
            Ok(result)
        });
        self.depth -= 1;
        result
    }

    /// Parses something whose height is not that of its elder siblings plus its own.
    #[inline]
    fn apart<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let siblings = std::mem::take(&mut self.height);
        let result = parse(self)?;
        self.height = self.height.max(siblings);
        Ok(result)
    }

    /// Counts one level on top of what was parsed on this level.
    #[inline]
    fn add_link(&mut self) -> Parse<()> {
        self.add_link_in(Nested::Expression)
    }

    #[inline]
    fn add_link_in(&mut self, what: Nested) -> Parse<()> {
        self.height += 1;
        if self.height > MAX_NESTING { Err(self.nested_too_deeply(what)) } else { Ok(()) }
    }

    /// Runs `parse`; if it fails, nothing happened.
    fn attempt<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let (position, depth, height, open) = (self.position, self.depth, self.height, self.open.len());
        let (scope, next_acsl) = (self.scopes.depth(), self.next_acsl);
        let result = parse(self);
        if result.is_err() {
            (self.position, self.depth, self.height, self.next_acsl) = (position, depth, height, next_acsl);
            self.open.truncate(open);
            self.scopes.leave_to(scope);
        }
        result
    }

    fn is_typedef_name(&self, token: &Token) -> bool {
        token.kind == TokenKind::Identifier && self.scopes.is_typedef(token.symbol)
    }
}

#[cfg(test)]
mod tests;

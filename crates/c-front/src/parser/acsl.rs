//! ACSL assertions among the statements.

use base::Diagnostic;

use crate::ast::{Block, BlockItem, Statement, StatementKind};
use crate::lexer::TokenKind;

use super::{Parse, Parser};

impl Parser<'_> {
    /// Appends the ACSL assertions that stand before the current token.
    #[inline]
    pub(super) fn assertions_before(&mut self, items: &mut Block) {
        if self.next_acsl < self.lexed.acsl.len() {
            self.acsl_assertions(items);
        }
    }

    fn acsl_assertions(&mut self, items: &mut Block) {
        self.skip_acsl();
        while self.lexed.acsl.get(self.next_acsl).is_some_and(|comment| comment.before as usize == self.position) {
            let comment = &mut self.lexed.acsl[self.next_acsl];
            self.next_acsl += 1;
            let (tokens, span) = (std::mem::take(&mut comment.tokens), comment.span);
            let (tokens, position) =
                (std::mem::replace(&mut self.lexed.tokens, tokens), std::mem::take(&mut self.position));
            let assertions = self.attempt(Self::assertions);
            (self.lexed.tokens, self.position) = (tokens, position);
            match assertions {
                Ok(assertions) => items.extend(assertions),
                Err(_) => self.warnings.push(
                    Diagnostic::warning(span, "this ACSL assertion is ignored: it is not an expression of C")
                        .help("write it with the operators of C only"),
                ),
            }
        }
    }

    /// `assert e; assert e; …` up to the end of the comment.
    fn assertions(&mut self) -> Parse<Vec<BlockItem>> {
        let mut items = Vec::new();
        if self.has_comparison_chain() {
            return Err(self.expected("‘&&’"));
        }
        while self.kind() != TokenKind::Eof {
            let first = self.span();
            if self.source(first) != "assert" {
                return Err(self.expected("‘assert’"));
            }
            self.bump();
            let expr = self.expression()?;
            self.expect(TokenKind::Semicolon)?;
            let kind = StatementKind::AcslAssert(expr);
            items.push(BlockItem::Statement(Statement { kind, span: self.since(first) }));
        }
        Ok(items)
    }

    /// Whether comparisons are chained as in `0 <= i < n`, which means something else in C.
    fn has_comparison_chain(&self) -> bool {
        let mut compared = vec![false];
        for token in &self.lexed.tokens {
            match token.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket => compared.push(false),
                TokenKind::RightParen | TokenKind::RightBracket if compared.len() > 1 => {
                    compared.pop();
                }
                TokenKind::AmpAmp
                | TokenKind::PipePipe
                | TokenKind::Question
                | TokenKind::Colon
                | TokenKind::Comma
                | TokenKind::Semicolon => compared.last_mut().into_iter().for_each(|last| *last = false),
                TokenKind::Lt | TokenKind::Gt | TokenKind::Le | TokenKind::Ge | TokenKind::EqEq
                    if compared.last_mut().is_some_and(|last| std::mem::replace(last, true)) =>
                {
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Passes over the assertions before earlier tokens, where no statement stood.
    pub(super) fn skip_acsl(&mut self) {
        while let Some(comment) = self.lexed.acsl.get(self.next_acsl).filter(|c| (c.before as usize) < self.position) {
            self.warnings.push(
                Diagnostic::warning(
                    comment.span,
                    "this ACSL assertion is ignored: it does not stand before a statement",
                )
                .help("move it between two statements"),
            );
            self.next_acsl += 1;
        }
    }
}

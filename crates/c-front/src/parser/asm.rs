//! Assembly, at file scope and as a statement.

use base::Symbol;

use crate::ast::{Asm, AsmOperand, StringLiteral};
use crate::lexer::TokenKind;

use super::{Parse, Parser};

impl Parser<'_> {
    /// Without the semicolon.
    #[inline(never)]
    pub(super) fn asm(&mut self) -> Parse<Asm> {
        let first = self.bump().span();
        let mut volatile = false;
        while matches!(
            self.kind(),
            TokenKind::Volatile | TokenKind::Goto | TokenKind::Inline | TokenKind::Const | TokenKind::Restrict
        ) {
            volatile |= self.bump().kind == TokenKind::Volatile;
        }
        self.open(TokenKind::LeftParen)?;
        let template = self.string()?;
        let (outputs, inputs) = (self.operands()?, self.operands()?);
        let (clobbers, labels) = (self.clobbers()?, self.labels()?);
        self.close(TokenKind::RightParen)?;
        Ok(Asm { template, volatile, outputs, inputs, clobbers, labels, span: self.since(first) })
    }

    /// `: [name] "constraint" (e), …`, possibly nothing at all.
    fn operands(&mut self) -> Parse<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if !self.eat(TokenKind::Colon) || !matches!(self.kind(), TokenKind::String | TokenKind::LeftBracket) {
            return Ok(operands);
        }
        loop {
            let mut name = None;
            if self.eat(TokenKind::LeftBracket) {
                if self.token().symbol.0 as usize >= self.names.len() {
                    return Err(self.expected("the name of an operand"));
                }
                name = Some(self.bump().symbol);
                self.expect(TokenKind::RightBracket)?;
            }
            let constraint = self.string()?;
            let value = self.parenthesised(|parser| parser.deeper(Self::expression))?;
            operands.push(AsmOperand { name, constraint, value });
            if !self.eat(TokenKind::Comma) {
                return Ok(operands);
            }
        }
    }

    fn clobbers(&mut self) -> Parse<Vec<StringLiteral>> {
        let mut clobbers = Vec::new();
        if self.eat(TokenKind::Colon) && self.kind() == TokenKind::String {
            clobbers.push(self.string()?);
            while self.eat(TokenKind::Comma) {
                clobbers.push(self.string()?);
            }
        }
        Ok(clobbers)
    }

    fn labels(&mut self) -> Parse<Vec<Symbol>> {
        let mut labels = Vec::new();
        if self.eat(TokenKind::Colon) && self.kind() == TokenKind::Identifier {
            labels.push(self.identifier()?.0);
            while self.eat(TokenKind::Comma) {
                labels.push(self.identifier()?.0);
            }
        }
        Ok(labels)
    }
}

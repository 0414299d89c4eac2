//! Initialisers with designators in all their forms.

use base::Span;

use crate::ast::{Designator, InitItem, Initializer};
use crate::lexer::TokenKind;

use super::error::Nested;
use super::{Parse, Parser};

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        match self.kind() {
            TokenKind::LeftBrace => {
                let (items, span) = self.initializer_list()?;
                Ok(Initializer::List { items, span })
            }
            _ => Ok(Initializer::Expr(self.assignment()?)),
        }
    }

    /// `{ … }`
    #[inline(never)]
    pub(super) fn initializer_list(&mut self) -> Parse<(Vec<InitItem>, Span)> {
        let first = self.open(TokenKind::LeftBrace)?;
        let items = self.deeper_in(Nested::Initializer, |parser| {
            let mut items = Vec::new();
            while parser.kind() != TokenKind::RightBrace {
                items.push(parser.item()?);
                if !parser.eat(TokenKind::Comma) {
                    break;
                }
            }
            Ok(items)
        })?;
        self.close(TokenKind::RightBrace)?;
        Ok((items, self.since(first)))
    }

    fn item(&mut self) -> Parse<InitItem> {
        let mut designators = Vec::new();
        match self.kind() {
            TokenKind::Identifier if self.peek(1) == TokenKind::Colon => {
                let (name, span) = self.identifier()?;
                self.bump();
                designators.push(Designator::Field(name, span));
            }
            TokenKind::Dot | TokenKind::LeftBracket => self.designators(&mut designators)?,
            _ => {}
        }
        Ok(InitItem { designators, value: self.initializer()? })
    }

    /// With the `=`, which GNU C lets be missing behind one index.
    fn designators(&mut self, designators: &mut Vec<Designator>) -> Parse<()> {
        loop {
            match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let (name, span) = self.identifier()?;
                    designators.push(Designator::Field(name, span));
                }
                TokenKind::LeftBracket => designators.push(self.index_designator()?),
                TokenKind::Eq => {
                    self.bump();
                    return Ok(());
                }
                _ if matches!(designators.as_slice(), [Designator::Index(_) | Designator::Range(..)]) => return Ok(()),
                _ => return Err(self.expected_token(TokenKind::Eq)),
            }
        }
    }

    fn index_designator(&mut self) -> Parse<Designator> {
        self.open(TokenKind::LeftBracket)?;
        let first = Box::new(self.deeper(Self::assignment)?);
        let designator = match self.eat(TokenKind::Ellipsis) {
            true => Designator::Range(first, Box::new(self.deeper(Self::assignment)?)),
            false => Designator::Index(first),
        };
        self.close(TokenKind::RightBracket)?;
        Ok(designator)
    }
}

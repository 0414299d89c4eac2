//! `__attribute__((…))` and `[[…]]`.

use crate::ast::{Attribute, AttributeArg};
use crate::lexer::TokenKind;

use super::{Parse, Parser};

impl Parser<'_> {
    #[inline]
    pub(super) fn starts_attribute(&self) -> bool {
        match self.kind() {
            TokenKind::Attribute => true,
            TokenKind::LeftBracket => self.peek(1) == TokenKind::LeftBracket,
            _ => false,
        }
    }

    /// Takes all attributes that stand here.
    #[inline]
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        if self.starts_attribute() { self.attribute_lists(out) } else { Ok(()) }
    }

    /// Takes attributes in the form `[[…]]` only.
    pub(super) fn attributes_in_brackets(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        if self.kind() == TokenKind::LeftBracket { self.attributes(out) } else { Ok(()) }
    }

    #[inline(never)]
    fn attribute_lists(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        while self.starts_attribute() {
            let (open, close) = match self.eat(TokenKind::Attribute) {
                true => (TokenKind::LeftParen, TokenKind::RightParen),
                false => (TokenKind::LeftBracket, TokenKind::RightBracket),
            };
            self.open(open)?;
            self.open(open)?;
            self.deeper(|parser| parser.attribute_list(out))?;
            self.close(close)?;
            self.close(close)?;
        }
        Ok(())
    }

    fn attribute_list(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            if self.names_attribute() {
                out.push(self.attribute()?);
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    /// Any word can name an attribute, keywords included.
    fn names_attribute(&self) -> bool {
        self.kind() == TokenKind::Identifier || (self.token().symbol.0 as usize) < self.names.len()
    }

    fn attribute(&mut self) -> Parse<Attribute> {
        let mut word = self.bump();
        let first = word.span();
        // `[[gnu::packed]]`
        if self.kind() == TokenKind::Colon && self.peek(1) == TokenKind::Colon {
            self.bump();
            self.bump();
            if !self.names_attribute() {
                return Err(self.expected("the name of an attribute"));
            }
            word = self.bump();
        }
        let text = self.names.resolve(word.symbol);
        let bare = text.trim_matches('_').to_owned();
        let name = if bare.is_empty() { word.symbol } else { self.names.intern(&bare) };
        let args = match self.kind() {
            TokenKind::LeftParen => self.parenthesised(Self::attribute_args)?,
            _ => Vec::new(),
        };
        Ok(Attribute { name, args, span: self.since(first) })
    }

    fn attribute_args(&mut self) -> Parse<Vec<AttributeArg>> {
        let mut args = Vec::new();
        while self.kind() != TokenKind::RightParen {
            args.push(self.attribute_arg()?);
            if self.kind() != TokenKind::RightParen {
                self.expect(TokenKind::Comma)?;
            }
        }
        Ok(args)
    }

    fn attribute_arg(&mut self) -> Parse<AttributeArg> {
        let parsed = self.attempt(|parser| {
            let arg = match parser.starts_type_name(0) {
                true => AttributeArg::Type(parser.type_name()?),
                false => AttributeArg::Expr(parser.deeper(Self::assignment)?),
            };
            match parser.kind() {
                TokenKind::Comma | TokenKind::RightParen => Ok(arg),
                _ => Err(parser.expected_token(TokenKind::RightParen)),
            }
        });
        match parsed {
            Ok(arg) => Ok(arg),
            // At the end of the text there is nothing to skip to.
            Err(error) if error.span == self.lexed.tokens[self.lexed.tokens.len() - 1].span() => Err(error),
            Err(_) => self.skip_balanced().map(|()| AttributeArg::Other),
        }
    }

    /// Skips to the `,` or `)` that ends the argument.
    fn skip_balanced(&mut self) -> Parse<()> {
        let mut depth = 0usize;
        loop {
            match self.kind() {
                TokenKind::Comma | TokenKind::RightParen if depth == 0 => return Ok(()),
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Eof => return Err(self.expected_token(TokenKind::RightParen)),
                _ => {}
            }
            self.bump();
        }
    }
}

//! `struct`, `union` and `enum`.

use crate::ast::{
    DeclSpecs, Declarator, EnumSpec, Enumerator, FieldDecl, FieldDeclarator, Member, RecordKind, RecordSpec,
};
use crate::lexer::TokenKind;

use super::declarator::Naming;
use super::error::Nested;
use super::{Parse, Parser};

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn record(&mut self) -> Parse<Box<RecordSpec>> {
        let token = self.bump();
        let kind = if token.kind == TokenKind::Struct { RecordKind::Struct } else { RecordKind::Union };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let mut pack = None;
        let members = match self.kind() {
            TokenKind::LeftBrace => {
                self.open(TokenKind::LeftBrace)?;
                let members = self.deeper_in(Nested::Record, Self::members)?;
                pack = self.pack();
                self.close(TokenKind::RightBrace)?;
                self.attributes(&mut attributes)?;
                Some(members)
            }
            _ if tag.is_none() => return Err(self.expected("a tag or ‘{’")),
            _ => None,
        };
        Ok(Box::new(RecordSpec { kind, tag, members, attributes, pack, span: self.since(token.span()) }))
    }

    fn tag(&mut self) -> Option<base::Symbol> {
        (self.kind() == TokenKind::Identifier).then(|| self.bump().symbol)
    }

    /// The value of `#pragma pack` at the current token.
    fn pack(&self) -> Option<u8> {
        let packs = &self.lexed.packs;
        let next = packs.partition_point(|pack| pack.from as usize <= self.position);
        packs[..next].last().and_then(|pack| pack.value)
    }

    fn members(&mut self) -> Parse<Vec<Member>> {
        let mut members = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RightBrace => return Ok(members),
                TokenKind::Semicolon => {
                    self.bump();
                }
                TokenKind::StaticAssert => {
                    members.push(Member::StaticAssert(self.static_assertion()?));
                    self.end_of_member()?;
                }
                _ => members.push(Member::Field(self.field()?)),
            }
        }
    }

    fn field(&mut self) -> Parse<FieldDecl> {
        let first = self.span();
        let mut specs = DeclSpecs::default();
        self.specifiers(&mut specs)?;
        if self.span() == first {
            return Err(match self.kind() {
                TokenKind::Identifier => self.unknown_type(first),
                TokenKind::Eof => self.expected_token(TokenKind::RightBrace),
                _ => self.expected("a member declaration"),
            });
        }
        let mut declarators = Vec::new();
        if !matches!(self.kind(), TokenKind::Semicolon | TokenKind::RightBrace) {
            declarators.push(self.field_declarator()?);
            while self.eat(TokenKind::Comma) {
                declarators.push(self.field_declarator()?);
            }
        }
        self.end_of_member()?;
        Ok(FieldDecl { specs, declarators, span: self.since(first) })
    }

    /// gcc lets the last semicolon be missing.
    fn end_of_member(&mut self) -> Parse<()> {
        if self.kind() == TokenKind::RightBrace { Ok(()) } else { self.expect(TokenKind::Semicolon).map(|_| ()) }
    }

    fn field_declarator(&mut self) -> Parse<FieldDeclarator> {
        let mut declarator = Declarator { span: self.span(), ..Declarator::default() };
        self.attributes(&mut declarator.attributes)?;
        if self.kind() != TokenKind::Colon {
            self.declarator(&mut declarator, Naming::Named)?;
        }
        let bits = match self.eat(TokenKind::Colon) {
            true => Some(self.deeper(Self::conditional)?),
            false => None,
        };
        self.attributes(&mut declarator.attributes)?;
        Ok(FieldDeclarator { declarator, bits })
    }

    #[inline(never)]
    pub(super) fn enumeration(&mut self) -> Parse<Box<EnumSpec>> {
        let first = self.bump().span();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.tag();
        let enumerators = match self.kind() {
            TokenKind::LeftBrace => {
                self.open(TokenKind::LeftBrace)?;
                let enumerators = self.deeper(Self::enumerators)?;
                self.close(TokenKind::RightBrace)?;
                self.attributes(&mut attributes)?;
                Some(enumerators)
            }
            _ if tag.is_none() => return Err(self.expected("a tag or ‘{’")),
            _ => None,
        };
        Ok(Box::new(EnumSpec { tag, enumerators, attributes, span: self.since(first) }))
    }

    fn enumerators(&mut self) -> Parse<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        loop {
            let (name, span) = self.identifier()?;
            // An attribute of an enumerator (`deprecated`) has no effect on its value.
            self.attributes(&mut Vec::new())?;
            let value = match self.eat(TokenKind::Eq) {
                true => Some(self.conditional()?),
                false => None,
            };
            self.scopes.declare(name, false);
            enumerators.push(Enumerator { name, value, span });
            if !self.eat(TokenKind::Comma) || self.kind() == TokenKind::RightBrace {
                return Ok(enumerators);
            }
        }
    }
}

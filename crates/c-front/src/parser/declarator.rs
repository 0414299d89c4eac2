//! Declarators, type names and parameter lists.

use base::{Span, Symbol};

use crate::ast::{ArraySize, DeclSpecs, Declarator, Derived, Param, TypeName};
use crate::lexer::TokenKind;

use super::error::Nested;
use super::{MAX_NESTING, Parse, Parser};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Named,
    /// In a parameter.
    Either,
    /// In a type name.
    Abstract,
}

impl Parser<'_> {
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        let first = self.span();
        if !self.starts_type_name(0) && self.kind() != TokenKind::Extension {
            return Err(match self.kind() {
                TokenKind::Identifier => self.unknown_type(first),
                _ => self.expected("a type name"),
            });
        }
        self.deeper_in(Nested::Declarator, |parser| {
            let mut specs = DeclSpecs::default();
            parser.specifiers(&mut specs)?;
            let mut declarator = Declarator::default();
            parser.declarator(&mut declarator, Naming::Abstract)?;
            parser.attributes(&mut declarator.attributes)?;
            Ok(TypeName { specs, declarator, span: parser.since(first) })
        })
    }

    pub(super) fn declarator(&mut self, out: &mut Declarator, naming: Naming) -> Parse<()> {
        let pointers = self.pointers()?;
        self.attributes(&mut out.attributes)?;
        match self.kind() {
            TokenKind::Identifier if naming != Naming::Abstract => {
                let token = self.bump();
                out.name = Some(token.symbol);
                out.span = token.span();
                self.attributes_in_brackets(&mut out.attributes)?;
            }
            TokenKind::LeftParen if naming == Naming::Named || self.opens_group() => {
                self.open(TokenKind::LeftParen)?;
                self.deeper_in(Nested::Declarator, |parser| {
                    parser.attributes(&mut out.attributes)?;
                    parser.declarator(out, naming)
                })?;
                self.close(TokenKind::RightParen)?;
            }
            _ if naming == Naming::Named => return Err(self.expected("identifier or ‘(’")),
            _ => out.span = Span::new(self.span().start, self.span().start),
        }
        self.suffixes(out)?;
        out.derived.extend(pointers.into_iter().rev());
        if out.derived.len() > MAX_NESTING as usize { Err(self.nested_too_deeply(Nested::Declarator)) } else { Ok(()) }
    }

    fn pointers(&mut self) -> Parse<Vec<Derived>> {
        let mut pointers = Vec::new();
        while self.eat(TokenKind::Star) {
            let (mut quals, mut attributes) = (self.qualifiers(), Vec::new());
            while self.starts_attribute() {
                self.attributes(&mut attributes)?;
                quals = quals.with(self.qualifiers());
            }
            pointers.push(Derived::Pointer { quals, attributes });
        }
        Ok(pointers)
    }

    /// Where the name may be missing: whether `(` groups a declarator rather than opening a parameter list.
    fn opens_group(&self) -> bool {
        match self.peek(1) {
            TokenKind::RightParen | TokenKind::Ellipsis => false,
            TokenKind::Attribute => true,
            _ => !self.starts_declaration(1),
        }
    }

    fn suffixes(&mut self, out: &mut Declarator) -> Parse<()> {
        loop {
            let derived = match self.kind() {
                TokenKind::LeftParen => self.parameters()?,
                TokenKind::LeftBracket if self.peek(1) == TokenKind::LeftBracket => {
                    self.attributes_in_brackets(&mut out.attributes)?;
                    continue;
                }
                TokenKind::LeftBracket => self.array()?,
                _ => return Ok(()),
            };
            out.derived.push(derived);
        }
    }

    fn array(&mut self) -> Parse<Derived> {
        self.open(TokenKind::LeftBracket)?;
        let mut quals = self.qualifiers();
        if self.eat(TokenKind::Static) {
            quals = quals.with(self.qualifiers());
        }
        let size = match self.kind() {
            TokenKind::RightBracket => ArraySize::None,
            TokenKind::Star if self.peek(1) == TokenKind::RightBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.deeper(Self::assignment)?)),
        };
        self.close(TokenKind::RightBracket)?;
        Ok(Derived::Array { quals, size })
    }

    #[inline(never)]
    fn parameters(&mut self) -> Parse<Derived> {
        self.open(TokenKind::LeftParen)?;
        let derived = match self.kind() {
            TokenKind::RightParen => Derived::KrFunction { names: Vec::new() },
            TokenKind::Identifier if !self.is_typedef_name(self.token()) => self.old_style_names()?,
            _ => {
                self.scopes.enter();
                let derived = self.deeper_in(Nested::Declarator, Self::parameter_list)?;
                self.scopes.leave();
                derived
            }
        };
        self.close(TokenKind::RightParen)?;
        Ok(derived)
    }

    fn old_style_names(&mut self) -> Parse<Derived> {
        let mut names = Vec::new();
        loop {
            let (name, span) = self.identifier()?;
            if !matches!(self.kind(), TokenKind::Comma | TokenKind::RightParen) {
                return Err(self.unknown_type(span));
            }
            names.push((name, span));
            if !self.eat(TokenKind::Comma) {
                return Ok(Derived::KrFunction { names });
            }
        }
    }

    fn parameter_list(&mut self) -> Parse<Derived> {
        let mut params = Vec::new();
        loop {
            if self.kind() == TokenKind::Ellipsis {
                self.bump();
                return Ok(Derived::Function { params, variadic: true });
            }
            params.push(self.parameter()?);
            match self.kind() {
                TokenKind::Comma => self.bump(),
                // GNU: what the sizes of arrays need may be declared ahead, `(int n; int a[n], int n)`.
                TokenKind::Semicolon => {
                    params.clear();
                    self.bump();
                    if self.kind() == TokenKind::RightParen {
                        return Ok(Derived::KrFunction { names: Vec::new() });
                    }
                    continue;
                }
                _ => return Ok(Derived::Function { params, variadic: false }),
            };
        }
    }

    fn parameter(&mut self) -> Parse<Param> {
        let first = self.span();
        if !self.starts_declaration(0) && !self.starts_attribute() {
            return Err(match self.kind() {
                TokenKind::Identifier => self.unknown_type(first),
                _ => self.expected("a parameter declaration"),
            });
        }
        let mut specs = DeclSpecs::default();
        self.specifiers(&mut specs)?;
        let mut declarator = Declarator::default();
        self.declarator(&mut declarator, Naming::Either)?;
        self.attributes(&mut declarator.attributes)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name, false);
        }
        Ok(Param { specs, declarator, span: self.since(first) })
    }

    /// Makes the parameters of a function known inside its body.
    pub(super) fn declare_parameters(&mut self, declarator: &Declarator) {
        let mut declare = |name: Symbol| self.scopes.declare(name, false);
        match declarator.derived.first() {
            Some(Derived::Function { params, .. }) => params.iter().filter_map(|p| p.declarator.name).for_each(declare),
            Some(Derived::KrFunction { names }) => names.iter().for_each(|(name, _)| declare(*name)),
            _ => {}
        }
    }
}

//! Declarations and function definitions, at file scope and in blocks.

use base::Span;

use crate::ast::{
    DeclSpecs, Declaration, Declarator, Derived, ExternalDecl, FunctionDef, InitDeclarator, StaticAssert, Storage,
    TypeSpec,
};
use crate::lexer::TokenKind;

use super::declarator::Naming;
use super::error::Nested;
use super::{Parse, Parser};

pub(super) enum Declared {
    Function(Box<FunctionDef>),
    Declaration(Declaration),
}

impl Parser<'_> {
    pub(super) fn external_declaration(&mut self) -> Parse<ExternalDecl> {
        while self.eat(TokenKind::Extension) {}
        match self.kind() {
            TokenKind::StaticAssert => Ok(ExternalDecl::StaticAssert(self.static_assert()?)),
            TokenKind::Asm => {
                let asm = self.asm()?;
                self.expect(TokenKind::Semicolon)?;
                Ok(ExternalDecl::Asm(asm))
            }
            _ => match self.declaration(DeclSpecs::default())? {
                Declared::Function(function) => Ok(ExternalDecl::Function(function)),
                Declared::Declaration(declaration) => Ok(ExternalDecl::Declaration(declaration)),
            },
        }
    }

    /// A declaration with its `;`, or a function with its body. `specs` may hold attributes that came before.
    pub(super) fn declaration(&mut self, mut specs: DeclSpecs) -> Parse<Declared> {
        let (first, begin) = (self.span(), self.position);
        self.specifiers(&mut specs)?;
        if self.kind() == TokenKind::Semicolon {
            self.bump();
            return Ok(Declared::Declaration(Declaration { specs, declarators: Vec::new(), span: self.since(first) }));
        }
        let starts_declarator = matches!(self.kind(), TokenKind::Identifier | TokenKind::LeftParen | TokenKind::Star);
        if !starts_declarator && self.position == begin {
            return Err(self.expected("a declaration"));
        }
        let mut declarators = Vec::new();
        loop {
            let mut declarator = Declarator::default();
            self.attributes(&mut declarator.attributes)?;
            self.declarator(&mut declarator, Naming::Named)?;
            self.declarator_end(&mut declarator)?;
            self.declare(&declarator, specs.storage);
            if declarators.is_empty() && self.begins_body(&declarator) {
                return Ok(Declared::Function(self.function(specs, declarator, first)?));
            }
            let init = match self.eat(TokenKind::Eq) {
                true => Some(self.initializer()?),
                false => None,
            };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.kind() != TokenKind::Semicolon {
            return Err(self.unfinished_declaration(&specs, &declarators));
        }
        self.bump();
        Ok(Declared::Declaration(Declaration { specs, declarators, span: self.since(first) }))
    }

    fn unfinished_declaration(&self, specs: &DeclSpecs, declarators: &[InitDeclarator]) -> Box<base::Diagnostic> {
        match declarators {
            [InitDeclarator { declarator, init: None }]
                if matches!(specs.ty, TypeSpec::Implicit)
                    && declarator.derived.is_empty()
                    && matches!(self.kind(), TokenKind::Identifier | TokenKind::Star) =>
            {
                self.unknown_type(declarator.span)
            }
            _ => self.expected_token(TokenKind::Semicolon),
        }
    }

    /// The assembler name and the attributes behind a declarator.
    fn declarator_end(&mut self, declarator: &mut Declarator) -> Parse<()> {
        self.attributes(&mut declarator.attributes)?;
        while self.kind() == TokenKind::Asm {
            self.bump();
            declarator.asm_label = Some(self.parenthesised(Self::string)?);
            self.attributes(&mut declarator.attributes)?;
        }
        Ok(())
    }

    pub(super) fn declare(&mut self, declarator: &Declarator, storage: Storage) {
        if let Some(name) = declarator.name {
            self.scopes.declare(name, storage == Storage::Typedef);
        }
    }

    fn begins_body(&self, declarator: &Declarator) -> bool {
        match declarator.derived.first() {
            Some(Derived::Function { .. }) => self.kind() == TokenKind::LeftBrace,
            Some(Derived::KrFunction { names }) => {
                self.kind() == TokenKind::LeftBrace || !names.is_empty() && self.starts_declaration(0)
            }
            _ => false,
        }
    }

    #[inline(never)]
    fn function(&mut self, specs: DeclSpecs, declarator: Declarator, first: Span) -> Parse<Box<FunctionDef>> {
        self.scopes.enter();
        let mut kr_declarations = Vec::new();
        while self.kind() != TokenKind::LeftBrace {
            match self.declaration(DeclSpecs::default())? {
                Declared::Declaration(declaration) => kr_declarations.push(declaration),
                Declared::Function(function) => {
                    let span = function.span;
                    return Err(Box::new(
                        base::Diagnostic::error(span, "a function definition among the declarations of parameters")
                            .help("put the body of the outer function first"),
                    ));
                }
            }
        }
        self.declare_parameters(&declarator);
        let (body, end) = self.deeper_in(Nested::Statement, Self::block)?;
        self.scopes.leave();
        Ok(Box::new(FunctionDef { specs, declarator, kr_declarations, body, span: self.since(first), end }))
    }

    /// With its semicolon.
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let assertion = self.static_assertion()?;
        self.expect(TokenKind::Semicolon)?;
        Ok(assertion)
    }

    pub(super) fn static_assertion(&mut self) -> Parse<StaticAssert> {
        let first = self.expect(TokenKind::StaticAssert)?;
        let (condition, message) = self.parenthesised(|parser| {
            let condition = parser.deeper(Self::assignment)?;
            let message = match parser.eat(TokenKind::Comma) {
                true => Some(parser.string()?),
                false => None,
            };
            Ok((condition, message))
        })?;
        Ok(StaticAssert { condition, message, span: self.since(first) })
    }
}

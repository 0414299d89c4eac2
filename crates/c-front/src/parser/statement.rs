//! Statements and blocks.

use base::{Diagnostic, Span};

use crate::ast::{Block, BlockItem, DeclSpecs, Expr, ForInit, Statement, StatementKind};
use crate::lexer::TokenKind;

use super::declaration::Declared;
use super::error::Nested;
use super::{Parse, Parser};

impl Parser<'_> {
    /// `{ … }` and the span of its closing brace.
    #[inline(never)]
    pub(super) fn block(&mut self) -> Parse<(Block, Span)> {
        self.open(TokenKind::LeftBrace)?;
        self.scopes.enter();
        let mut items = Vec::new();
        while self.kind() == TokenKind::Label {
            items.push(BlockItem::Statement(self.local_labels()?));
        }
        loop {
            self.assertions_before(&mut items);
            match self.kind() {
                TokenKind::RightBrace => break,
                TokenKind::Eof => return Err(self.expected_token(TokenKind::RightBrace)),
                _ => items.push(self.block_item()?),
            }
        }
        self.scopes.leave();
        let end = self.close(TokenKind::RightBrace)?;
        Ok((items, end))
    }

    fn block_item(&mut self) -> Parse<BlockItem> {
        match self.kind() {
            TokenKind::StaticAssert => Ok(BlockItem::StaticAssert(self.static_assert()?)),
            TokenKind::Extension if self.extended_declaration() => self.block_declaration(DeclSpecs::default()),
            TokenKind::Attribute | TokenKind::LeftBracket if self.starts_attribute() => self.attributed_item(),
            _ if self.declaration_here() => self.block_declaration(DeclSpecs::default()),
            _ => Ok(BlockItem::Statement(self.statement()?)),
        }
    }

    /// Whether a declaration begins here, and not a label whose name is also that of a type.
    fn declaration_here(&self) -> bool {
        self.starts_declaration(0) && !(self.kind() == TokenKind::Identifier && self.peek(1) == TokenKind::Colon)
    }

    /// Whether a declaration follows the `__extension__`s at the current place.
    fn extended_declaration(&self) -> bool {
        let rest = &self.lexed.tokens[self.position..];
        let skipped = rest.iter().take_while(|token| token.kind == TokenKind::Extension).count();
        self.starts_declaration(skipped) || self.peek(skipped) == TokenKind::Attribute
    }

    fn block_declaration(&mut self, specs: DeclSpecs) -> Parse<BlockItem> {
        self.deeper_in(Nested::Statement, |parser| {
            Ok(match parser.declaration(specs)? {
                Declared::Function(function) => BlockItem::NestedFunction(function),
                Declared::Declaration(declaration) => BlockItem::Declaration(declaration),
            })
        })
    }

    /// An attribute may belong to a declaration, or to a statement as in `__attribute__((fallthrough));`.
    fn attributed_item(&mut self) -> Parse<BlockItem> {
        let mut specs = DeclSpecs::default();
        self.attributes(&mut specs.attributes)?;
        if self.declaration_here() {
            self.block_declaration(specs)
        } else {
            Ok(BlockItem::Statement(self.statement()?))
        }
    }

    /// A statement that is not an item of a block. Assertions before it make one of it.
    fn substatement(&mut self) -> Parse<Box<Statement>> {
        let mut items = Vec::new();
        self.assertions_before(&mut items);
        let statement = self.statement()?;
        if items.is_empty() {
            return Ok(Box::new(statement));
        }
        let span = statement.span;
        items.push(BlockItem::Statement(statement));
        let end = Span::new(span.end, span.end);
        Ok(Box::new(Statement { kind: StatementKind::Block(items, end), span }))
    }

    pub(super) fn statement(&mut self) -> Parse<Statement> {
        self.deeper_in(Nested::Statement, |parser| {
            let first = parser.span();
            let kind = parser.statement_kind()?;
            Ok(Statement { kind, span: parser.since(first) })
        })
    }

    fn statement_kind(&mut self) -> Parse<StatementKind> {
        match self.kind() {
            TokenKind::LeftBrace => {
                let (items, end) = self.block()?;
                Ok(StatementKind::Block(items, end))
            }
            TokenKind::Semicolon => {
                self.bump();
                Ok(StatementKind::Expr(None))
            }
            TokenKind::Identifier if self.peek(1) == TokenKind::Colon => self.label(),
            TokenKind::If => self.if_statement(),
            TokenKind::For => self.for_statement(),
            TokenKind::While => {
                self.bump();
                let condition = self.parenthesised(Self::expression)?;
                Ok(StatementKind::While { condition, body: self.substatement()? })
            }
            TokenKind::Do => self.do_statement(),
            TokenKind::Switch => {
                self.bump();
                let value = self.parenthesised(Self::expression)?;
                Ok(StatementKind::Switch { value, body: self.substatement()? })
            }
            TokenKind::Case => self.case(),
            TokenKind::Default => {
                self.bump();
                self.expect(TokenKind::Colon)?;
                Ok(StatementKind::Default(self.labelled()?))
            }
            TokenKind::Return | TokenKind::Break | TokenKind::Continue | TokenKind::Goto => self.jump(),
            TokenKind::Asm => {
                let asm = self.asm()?;
                self.expect(TokenKind::Semicolon)?;
                Ok(StatementKind::Asm(asm))
            }
            TokenKind::Label => {
                Err(self
                    .error("‘__label__’ stands where only a statement may", "move it to the beginning of its block"))
            }
            TokenKind::Attribute | TokenKind::LeftBracket if self.starts_attribute() => {
                // What a statement's attribute says (`fallthrough`) does not change what it does.
                self.attributes(&mut Vec::new())?;
                self.statement_kind()
            }
            TokenKind::Else => Err(self.error("‘else’ without ‘if’", "is there a ‘;’ or ‘}’ too many before it?")),
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parse<StatementKind> {
        let expr = self.expression()?;
        if self.kind() != TokenKind::Semicolon {
            return Err(match self.misplaced_name(&expr) {
                Some(name) => self.unknown_type(name),
                None => self.expected_token(TokenKind::Semicolon),
            });
        }
        self.bump();
        Ok(StatementKind::Expr(Some(expr)))
    }

    #[inline(never)]
    fn if_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let condition = self.parenthesised(Self::expression)?;
        let then = self.substatement()?;
        let otherwise = match self.eat(TokenKind::Else) {
            true => Some(self.substatement()?),
            false => None,
        };
        Ok(StatementKind::If { condition, then, otherwise })
    }

    #[inline(never)]
    fn do_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        let body = self.substatement()?;
        self.expect(TokenKind::While)?;
        let condition = self.parenthesised(Self::expression)?;
        self.expect(TokenKind::Semicolon)?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    #[inline(never)]
    fn for_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        self.scopes.enter();
        self.open(TokenKind::LeftParen)?;
        let init = self.for_init()?;
        let condition = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon)?;
        let step = self.optional_expression(TokenKind::RightParen)?;
        self.close(TokenKind::RightParen)?;
        let body = self.substatement()?;
        self.scopes.leave();
        Ok(StatementKind::For { init, condition, step, body })
    }

    fn for_init(&mut self) -> Parse<ForInit> {
        let is_declaration = self.starts_declaration(0)
            || self.starts_attribute()
            || self.kind() == TokenKind::Extension && self.extended_declaration();
        if !is_declaration {
            let init = self.optional_expression(TokenKind::Semicolon)?;
            self.expect(TokenKind::Semicolon)?;
            return Ok(init.map_or(ForInit::None, ForInit::Expr));
        }
        match self.declaration(DeclSpecs::default())? {
            Declared::Declaration(declaration) => Ok(ForInit::Declaration(declaration)),
            Declared::Function(function) => Err(Box::new(
                Diagnostic::error(function.span, "a function defined in the head of a ‘for’ loop")
                    .help("define it before the loop"),
            )),
        }
    }

    fn optional_expression(&mut self, end: TokenKind) -> Parse<Option<Expr>> {
        if self.kind() == end { Ok(None) } else { self.expression().map(Some) }
    }

    #[inline(never)]
    fn jump(&mut self) -> Parse<StatementKind> {
        let kind = match self.bump().kind {
            TokenKind::Break => StatementKind::Break,
            TokenKind::Continue => StatementKind::Continue,
            TokenKind::Return => StatementKind::Return(self.optional_expression(TokenKind::Semicolon)?),
            _ if self.eat(TokenKind::Star) => StatementKind::GotoComputed(self.expression()?),
            _ => StatementKind::Goto(self.identifier()?.0),
        };
        self.expect(TokenKind::Semicolon)?;
        Ok(kind)
    }

    #[inline(never)]
    fn label(&mut self) -> Parse<StatementKind> {
        let (name, _) = self.identifier()?;
        self.expect(TokenKind::Colon)?;
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        Ok(StatementKind::Label { name, attributes, statement: self.labelled()? })
    }

    #[inline(never)]
    fn case(&mut self) -> Parse<StatementKind> {
        self.bump();
        let low = self.conditional()?;
        let high = match self.eat(TokenKind::Ellipsis) {
            true => Some(self.conditional()?),
            false => None,
        };
        self.expect(TokenKind::Colon)?;
        Ok(StatementKind::Case { low, high, statement: self.labelled()? })
    }

    /// What follows a label. Before a declaration or the end of the block the label marks an empty statement.
    fn labelled(&mut self) -> Parse<Box<Statement>> {
        let is_declaration = match self.kind() {
            TokenKind::RightBrace | TokenKind::StaticAssert => true,
            TokenKind::Extension => self.extended_declaration(),
            _ => self.declaration_here(),
        };
        if is_declaration {
            let span = Span::new(self.previous().end, self.previous().end);
            return Ok(Box::new(Statement { kind: StatementKind::Expr(None), span }));
        }
        self.substatement()
    }

    fn local_labels(&mut self) -> Parse<Statement> {
        let first = self.bump().span();
        let mut labels = vec![self.identifier()?.0];
        while self.eat(TokenKind::Comma) {
            labels.push(self.identifier()?.0);
        }
        self.expect(TokenKind::Semicolon)?;
        Ok(Statement { kind: StatementKind::LocalLabels(labels), span: self.since(first) })
    }
}

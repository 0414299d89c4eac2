//! Expressions from the comma down to casts and unary operators.

use crate::ast::{Alignof, Binary, Expr, ExprKind, TypeName, Unary};
use crate::lexer::TokenKind;
use base::Span;

use super::{Parse, Parser};

/// The operator and how tightly it binds.
fn binary_operator(kind: TokenKind) -> Option<(Binary, u8)> {
    Some(match kind {
        TokenKind::PipePipe => (Binary::LogOr, 1),
        TokenKind::AmpAmp => (Binary::LogAnd, 2),
        TokenKind::Pipe => (Binary::BitOr, 3),
        TokenKind::Caret => (Binary::BitXor, 4),
        TokenKind::Amp => (Binary::BitAnd, 5),
        TokenKind::EqEq => (Binary::Eq, 6),
        TokenKind::Ne => (Binary::Ne, 6),
        TokenKind::Lt => (Binary::Lt, 7),
        TokenKind::Gt => (Binary::Gt, 7),
        TokenKind::Le => (Binary::Le, 7),
        TokenKind::Ge => (Binary::Ge, 7),
        TokenKind::Shl => (Binary::Shl, 8),
        TokenKind::Shr => (Binary::Shr, 8),
        TokenKind::Plus => (Binary::Add, 9),
        TokenKind::Minus => (Binary::Sub, 9),
        TokenKind::Star => (Binary::Mul, 10),
        TokenKind::Slash => (Binary::Div, 10),
        TokenKind::Percent => (Binary::Rem, 10),
        _ => return None,
    })
}

/// The operator of an assignment: `None` inside for the plain one.
fn assignment_operator(kind: TokenKind) -> Option<Option<Binary>> {
    Some(match kind {
        TokenKind::Eq => None,
        TokenKind::PlusEq => Some(Binary::Add),
        TokenKind::MinusEq => Some(Binary::Sub),
        TokenKind::StarEq => Some(Binary::Mul),
        TokenKind::SlashEq => Some(Binary::Div),
        TokenKind::PercentEq => Some(Binary::Rem),
        TokenKind::ShlEq => Some(Binary::Shl),
        TokenKind::ShrEq => Some(Binary::Shr),
        TokenKind::AmpEq => Some(Binary::BitAnd),
        TokenKind::PipeEq => Some(Binary::BitOr),
        TokenKind::CaretEq => Some(Binary::BitXor),
        _ => return None,
    })
}

fn prefix_operator(kind: TokenKind) -> Option<Unary> {
    Some(match kind {
        TokenKind::Plus => Unary::Plus,
        TokenKind::Minus => Unary::Minus,
        TokenKind::Tilde => Unary::Complement,
        TokenKind::Bang => Unary::Not,
        TokenKind::Star => Unary::Deref,
        TokenKind::Amp => Unary::AddressOf,
        TokenKind::PlusPlus => Unary::PreIncrement,
        TokenKind::MinusMinus => Unary::PreDecrement,
        TokenKind::Real => Unary::Real,
        TokenKind::Imag => Unary::Imag,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.apart(|parser| {
            let mut left = parser.assignment()?;
            while parser.eat(TokenKind::Comma) {
                let right = parser.assignment()?;
                parser.add_link()?;
                let span = left.span.to(right.span);
                left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
            }
            Ok(left)
        })
    }

    /// As gcc does, the left side is any conditional expression; whether it can be assigned to is a later question.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        let siblings = std::mem::take(&mut self.height);
        let mut result = self.conditional()?;
        if let Some(operator) = assignment_operator(self.kind()) {
            result = self.assigned(result, operator)?;
        }
        self.height = self.height.max(siblings);
        Ok(result)
    }

    #[inline(never)]
    fn assigned(&mut self, left: Expr, operator: Option<Binary>) -> Parse<Expr> {
        self.bump();
        let right = self.deeper(Self::assignment)?;
        self.add_link()?;
        let span = left.span.to(right.span);
        Ok(Expr { kind: ExprKind::Assign(operator, Box::new(left), Box::new(right)), span })
    }

    pub(super) fn conditional(&mut self) -> Parse<Expr> {
        let condition = self.binary(1)?;
        match self.kind() {
            TokenKind::Question => self.choice(condition),
            _ => Ok(condition),
        }
    }

    #[inline(never)]
    fn choice(&mut self, condition: Expr) -> Parse<Expr> {
        self.bump();
        self.deeper(|parser| {
            let middle = match parser.kind() {
                TokenKind::Colon => None,
                _ => Some(Box::new(parser.expression()?)),
            };
            parser.expect(TokenKind::Colon)?;
            let otherwise = Box::new(parser.conditional()?);
            let span = condition.span.to(otherwise.span);
            Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), middle, otherwise), span })
        })
    }

    fn binary(&mut self, weakest: u8) -> Parse<Expr> {
        let siblings = std::mem::take(&mut self.height);
        let mut left = self.cast()?;
        while let Some((operator, strength)) = binary_operator(self.kind()) {
            if strength < weakest {
                break;
            }
            self.bump();
            let right = self.binary(strength + 1)?;
            self.add_link()?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span };
        }
        self.height = self.height.max(siblings);
        Ok(left)
    }

    /// A cast or unary expression.
    pub(super) fn cast(&mut self) -> Parse<Expr> {
        match self.kind() {
            TokenKind::LeftParen if self.starts_type_name(1) => self.cast_or_literal(),
            TokenKind::Identifier | TokenKind::Number | TokenKind::LeftParen => self.postfix(),
            _ => self.unary(),
        }
    }

    /// `(type) e` or `(type) { … }`
    #[inline(never)]
    fn cast_or_literal(&mut self) -> Parse<Expr> {
        let first = self.span();
        let ty = Box::new(self.parenthesised(Self::type_name)?);
        if self.kind() == TokenKind::LeftBrace {
            return self.compound_literal(ty, first);
        }
        self.deeper(|parser| {
            let operand = Box::new(parser.cast()?);
            let span = first.to(operand.span);
            Ok(Expr { kind: ExprKind::Cast(ty, operand), span })
        })
    }

    fn compound_literal(&mut self, ty: Box<TypeName>, first: Span) -> Parse<Expr> {
        let (items, _) = self.initializer_list()?;
        let literal = Expr { kind: ExprKind::CompoundLiteral { ty, items }, span: self.since(first) };
        self.postfix_of(literal)
    }

    #[inline(never)]
    fn unary(&mut self) -> Parse<Expr> {
        let first = self.span();
        match self.kind() {
            TokenKind::Sizeof => self.size_or_alignment(ExprKind::SizeofType, ExprKind::SizeofExpr),
            TokenKind::Alignof => self.alignment(Alignof::Least),
            TokenKind::PreferredAlignof => self.alignment(Alignof::Preferred),
            TokenKind::Extension => {
                self.bump();
                self.deeper(Self::cast)
            }
            TokenKind::AmpAmp => {
                self.bump();
                let (label, span) = self.identifier()?;
                Ok(Expr { kind: ExprKind::LabelAddress(label), span: first.to(span) })
            }
            kind => match prefix_operator(kind) {
                Some(operator) => {
                    self.bump();
                    self.deeper(|parser| {
                        let operand = Box::new(parser.cast()?);
                        let span = first.to(operand.span);
                        Ok(Expr { kind: ExprKind::Unary(operator, operand), span })
                    })
                }
                None => self.postfix(),
            },
        }
    }

    fn alignment(&mut self, which: Alignof) -> Parse<Expr> {
        self.size_or_alignment(|ty| ExprKind::AlignofType(which, ty), ExprKind::AlignofExpr)
    }

    /// The operand of `sizeof` and `_Alignof`: a type in parentheses or a unary expression.
    fn size_or_alignment(
        &mut self,
        of_type: impl FnOnce(Box<TypeName>) -> ExprKind,
        of_expr: impl FnOnce(Box<Expr>) -> ExprKind,
    ) -> Parse<Expr> {
        let first = self.bump().span();
        if self.kind() == TokenKind::LeftParen && self.starts_type_name(1) {
            let open = self.span();
            let ty = Box::new(self.parenthesised(Self::type_name)?);
            if self.kind() != TokenKind::LeftBrace {
                return Ok(Expr { kind: of_type(ty), span: self.since(first) });
            }
            let literal = self.deeper(|parser| parser.compound_literal(ty, open))?;
            return Ok(Expr { kind: of_expr(Box::new(literal)), span: self.since(first) });
        }
        let operand = self.deeper(Self::unary)?;
        Ok(Expr { kind: of_expr(Box::new(operand)), span: self.since(first) })
    }
}

//! Primary and postfix expressions, and the built-ins that take types.

use base::{Diagnostic, Span};

use crate::ast::{Binary, Designator, Encoding, Expr, ExprKind, IntSuffix, StringLiteral, Unary};
use crate::lexer::TokenKind;
use crate::lexer::literal::{self, Number};

use super::{Parse, Parser};

impl Parser<'_> {
    #[inline]
    pub(super) fn postfix(&mut self) -> Parse<Expr> {
        let base = self.primary()?;
        if continues(self.kind()) { self.postfix_of(base) } else { Ok(base) }
    }

    /// Everything that can stand behind `base`.
    #[inline(never)]
    pub(super) fn postfix_of(&mut self, mut base: Expr) -> Parse<Expr> {
        while continues(self.kind()) {
            base = self.postfix_operator(base)?;
            self.add_link()?;
        }
        Ok(base)
    }

    fn postfix_operator(&mut self, base: Expr) -> Parse<Expr> {
        let first = base.span;
        let base = Box::new(base);
        let kind = match self.kind() {
            TokenKind::LeftBracket => {
                self.open(TokenKind::LeftBracket)?;
                let index = self.deeper(Self::expression)?;
                self.close(TokenKind::RightBracket)?;
                ExprKind::Index(base, Box::new(index))
            }
            TokenKind::LeftParen => ExprKind::Call { callee: base, args: self.arguments()? },
            TokenKind::Dot => {
                self.bump();
                let (name, name_span) = self.identifier()?;
                ExprKind::Member { base, name, name_span }
            }
            TokenKind::Arrow => {
                self.bump();
                let (name, name_span) = self.identifier()?;
                ExprKind::Arrow { base, name, name_span }
            }
            TokenKind::PlusPlus => {
                self.bump();
                ExprKind::Unary(Unary::PostIncrement, base)
            }
            _ => {
                self.bump();
                ExprKind::Unary(Unary::PostDecrement, base)
            }
        };
        Ok(Expr { kind, span: self.since(first) })
    }

    fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.open(TokenKind::LeftParen)?;
        let mut args = Vec::new();
        if self.kind() != TokenKind::RightParen {
            self.deeper(|parser| {
                args.push(parser.assignment()?);
                while parser.eat(TokenKind::Comma) {
                    args.push(parser.assignment()?);
                }
                Ok(())
            })?;
        }
        self.close(TokenKind::RightParen)?;
        Ok(args)
    }

    fn primary(&mut self) -> Parse<Expr> {
        let first = self.span();
        let kind = match self.kind() {
            TokenKind::Identifier => ExprKind::Name(self.bump().symbol),
            TokenKind::Number => self.number()?,
            TokenKind::LeftParen => return self.paren(),
            TokenKind::Char => {
                let (value, encoding) =
                    literal::character(self.source(first)).map_err(|text| self.bad_literal(text))?;
                self.bump();
                ExprKind::Char { value, encoding }
            }
            TokenKind::String => ExprKind::String(self.string()?),
            TokenKind::Generic => self.generic()?,
            TokenKind::VaArg => self.va_arg()?,
            TokenKind::Offsetof => self.offsetof()?,
            TokenKind::TypesCompatible => self.types_compatible()?,
            TokenKind::ChooseExpr => self.choose_expr()?,
            TokenKind::UnsupportedBuiltin => {
                let message = format!("‘{}’ is not supported", self.source(first));
                return Err(self.error(message, "write the expression without this built-in"));
            }
            _ => return Err(self.expected("expression")),
        };
        Ok(Expr { kind, span: self.since(first) })
    }

    fn number(&mut self) -> Parse<ExprKind> {
        let number = literal::number(self.source(self.span())).map_err(|text| self.bad_literal(text))?;
        self.bump();
        Ok(match number {
            Number::Int { value, suffix, decimal } => ExprKind::Int { value, suffix, decimal },
            Number::Float { digits, suffix } => ExprKind::Float { text: self.names.intern(&digits), suffix },
        })
    }

    #[cold]
    fn bad_literal(&self, message: String) -> Box<Diagnostic> {
        self.error(message, "write the constant as C11 or GNU C does")
    }

    /// `(e)` or `({ … })`
    #[inline(never)]
    fn paren(&mut self) -> Parse<Expr> {
        let first = self.open(TokenKind::LeftParen)?;
        let kind = self.deeper(|parser| match parser.kind() {
            TokenKind::LeftBrace => {
                let (block, end) = parser.block()?;
                Ok(ExprKind::Statement(block, end))
            }
            _ => Ok(ExprKind::Paren(Box::new(parser.expression()?))),
        })?;
        self.close(TokenKind::RightParen)?;
        Ok(Expr { kind, span: self.since(first) })
    }

    /// Adjacent literals are one. A prefix on any of them holds for all.
    pub(super) fn string(&mut self) -> Parse<StringLiteral> {
        let (first, begin) = (self.span(), self.position);
        if self.kind() != TokenKind::String {
            return Err(self.expected("string constant"));
        }
        let mut encoding = Encoding::Plain;
        while self.kind() == TokenKind::String {
            match (encoding, literal::encoding(self.source(self.span()))) {
                (_, Encoding::Plain) => {}
                (Encoding::Plain, found) => encoding = found,
                (known, found) if known == found => {}
                _ => {
                    let help = "give all adjacent strings the same prefix";
                    return Err(self.error("strings with different prefixes cannot be joined", help));
                }
            }
            self.bump();
        }
        let mut units = Vec::new();
        for index in begin..self.position {
            let span = self.lexed.tokens[index].span();
            literal::string_units(self.source(span), encoding, &mut units)
                .map_err(|text| Box::new(Diagnostic::error(span, text).help("correct the escape sequence")))?;
        }
        Ok(StringLiteral { units, encoding, span: self.since(first) })
    }

    fn generic(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.parenthesised(|parser| {
            parser.deeper(|parser| {
                let control = Box::new(parser.assignment()?);
                let mut arms = Vec::new();
                while parser.eat(TokenKind::Comma) {
                    let ty = match parser.eat(TokenKind::Default) {
                        true => None,
                        false => Some(parser.type_name()?),
                    };
                    parser.expect(TokenKind::Colon)?;
                    arms.push((ty, parser.assignment()?));
                }
                Ok(ExprKind::Generic { control, arms })
            })
        })
    }

    fn va_arg(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.parenthesised(|parser| {
            let list = Box::new(parser.deeper(Self::assignment)?);
            parser.expect(TokenKind::Comma)?;
            Ok(ExprKind::VaArg(list, Box::new(parser.type_name()?)))
        })
    }

    fn types_compatible(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.parenthesised(|parser| {
            let left = Box::new(parser.type_name()?);
            parser.expect(TokenKind::Comma)?;
            Ok(ExprKind::TypesCompatible(left, Box::new(parser.type_name()?)))
        })
    }

    fn choose_expr(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.parenthesised(|parser| {
            parser.deeper(|parser| {
                let condition = Box::new(parser.assignment()?);
                parser.expect(TokenKind::Comma)?;
                let first = Box::new(parser.assignment()?);
                parser.expect(TokenKind::Comma)?;
                Ok(ExprKind::ChooseExpr(condition, first, Box::new(parser.assignment()?)))
            })
        })
    }

    fn offsetof(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.parenthesised(|parser| {
            let ty = Box::new(parser.type_name()?);
            parser.expect(TokenKind::Comma)?;
            let mut path = Vec::new();
            let (name, span) = parser.identifier()?;
            path.push(Designator::Field(name, span));
            while parser.offset_step(&mut path)? {}
            Ok(ExprKind::Offsetof { ty, path })
        })
    }

    /// `.name`, `[index]` or `->name`, which is `[0].name`; false if there is none.
    fn offset_step(&mut self, path: &mut Vec<Designator>) -> Parse<bool> {
        match self.kind() {
            TokenKind::Dot | TokenKind::Arrow => {
                let token = self.bump();
                if token.kind == TokenKind::Arrow {
                    let zero = ExprKind::Int { value: 0, suffix: IntSuffix::default(), decimal: true };
                    path.push(Designator::Index(Box::new(Expr { kind: zero, span: token.span() })));
                }
                let (name, span) = self.identifier()?;
                path.push(Designator::Field(name, span));
            }
            TokenKind::LeftBracket => {
                self.open(TokenKind::LeftBracket)?;
                path.push(Designator::Index(Box::new(self.deeper(Self::expression)?)));
                self.close(TokenKind::RightBracket)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The name of what an expression statement calls a type, for the error message.
    pub(super) fn misplaced_name(&self, expr: &Expr) -> Option<Span> {
        let name = match &expr.kind {
            ExprKind::Name(_) => expr.span,
            ExprKind::Binary(Binary::Mul, left, _) => match left.kind {
                ExprKind::Name(_) => left.span,
                _ => return None,
            },
            _ => return None,
        };
        (self.kind() == TokenKind::Identifier).then_some(name)
    }
}

fn continues(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::LeftBracket
            | TokenKind::LeftParen
            | TokenKind::Dot
            | TokenKind::Arrow
            | TokenKind::PlusPlus
            | TokenKind::MinusMinus
    )
}

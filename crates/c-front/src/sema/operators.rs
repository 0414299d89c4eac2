//! Unary, binary and conditional operators.

use base::Span;

use super::{Analyzer, Result, error};
use crate::ast;
use crate::typed::{Binary, Comparison, Expr, ExprKind, Unary};
use crate::types::{QualType, Type, TypeId};

impl Analyzer {
    pub(crate) fn arithmetic_unary(&mut self, op: ast::Unary, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let operand = self.value(operand)?;
        let fits = match op {
            ast::Unary::Complement => self.types.is_integer(operand.ty),
            _ => self.types.is_arithmetic(operand.ty),
        };
        if !fits {
            let text = self.type_text(operand.ty);
            return error(span, format!("wrong type ‘{text}’ for this unary operator"));
        }
        let operand = self.promote(operand);
        let op = match op {
            ast::Unary::Minus => Unary::Negate,
            ast::Unary::Complement => Unary::Complement,
            _ => return Ok(Expr { span, ..operand }),
        };
        let ty = operand.ty;
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    pub(crate) fn logical_not(&mut self, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let operand = self.condition(operand)?;
        Ok(Expr { kind: ExprKind::Unary(Unary::Not, Box::new(operand)), ty: self.common.int, span })
    }

    pub(crate) fn binary(&mut self, op: ast::Binary, left: &ast::Expr, right: &ast::Expr, span: Span) -> Result<Expr> {
        let left = self.value(left)?;
        let right = self.value(right)?;
        self.binary_values(op, left, right, span)
    }

    fn binary_values(&mut self, op: ast::Binary, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        use ast::Binary as B;
        match op {
            B::LogAnd | B::LogOr => self.logical(op, left, right, span),
            B::Eq => self.compare(Comparison::Eq, left, right, span),
            B::Ne => self.compare(Comparison::Ne, left, right, span),
            B::Lt => self.compare(Comparison::Lt, left, right, span),
            B::Le => self.compare(Comparison::Le, left, right, span),
            B::Gt => self.compare(Comparison::Gt, left, right, span),
            B::Ge => self.compare(Comparison::Ge, left, right, span),
            B::Shl => self.shift(Binary::Shl, left, right, span),
            B::Shr => self.shift(Binary::Shr, left, right, span),
            B::Add => self.add(left, right, span),
            B::Sub => self.subtract(left, right, span),
            B::Mul => self.arithmetic(Binary::Mul, left, right, span),
            B::Div => self.arithmetic(Binary::Div, left, right, span),
            B::Rem => self.arithmetic(Binary::Rem, left, right, span),
            B::BitAnd => self.arithmetic(Binary::And, left, right, span),
            B::BitOr => self.arithmetic(Binary::Or, left, right, span),
            B::BitXor => self.arithmetic(Binary::Xor, left, right, span),
        }
    }

    fn invalid<T>(&self, left: TypeId, right: TypeId, span: Span) -> Result<T> {
        let (left, right) = (self.type_text(left), self.type_text(right));
        error(span, format!("operands of types ‘{left}’ and ‘{right}’ do not fit this operator"))
    }

    fn logical(&mut self, op: ast::Binary, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        self.require_scalar(&left)?;
        self.require_scalar(&right)?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            ast::Binary::LogAnd => ExprKind::LogAnd(left, right),
            _ => ExprKind::LogOr(left, right),
        };
        Ok(Expr { kind, ty: self.common.int, span })
    }

    /// Only integers can be divided with remainder or combined bitwise.
    pub(crate) fn needs_integers(op: Binary) -> bool {
        matches!(op, Binary::Rem | Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr)
    }

    pub(crate) fn check_arithmetic(&self, op: Binary, left: TypeId, right: TypeId, span: Span) -> Result<()> {
        let fits = |ty| {
            if Self::needs_integers(op) { self.types.is_integer(ty) } else { self.types.is_arithmetic(ty) }
        };
        if fits(left) && fits(right) { Ok(()) } else { self.invalid(left, right, span) }
    }

    fn arithmetic(&mut self, op: Binary, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        self.check_arithmetic(op, left.ty, right.ty, span)?;
        let (left, right) = self.usual(left, right);
        let ty = left.ty;
        Ok(self.binary_expr(op, left, right, ty, span))
    }

    fn shift(&mut self, op: Binary, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        self.check_arithmetic(op, left.ty, right.ty, span)?;
        let left = self.promote(left);
        let right = self.promote(right);
        let ty = left.ty;
        Ok(self.binary_expr(op, left, right, ty, span))
    }

    fn add(&mut self, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        if self.types.is_pointer(left.ty) && self.types.is_integer(right.ty) {
            return self.pointer_offset(left, right, false, span);
        }
        if self.types.is_integer(left.ty) && self.types.is_pointer(right.ty) {
            return self.pointer_offset(right, left, false, span);
        }
        self.arithmetic(Binary::Add, left, right, span)
    }

    fn subtract(&mut self, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        let Some(target) = self.types.pointee(left.ty) else {
            return self.arithmetic(Binary::Sub, left, right, span);
        };
        if self.types.is_integer(right.ty) {
            return self.pointer_offset(left, right, true, span);
        }
        if !self.types.is_pointer(right.ty) {
            return self.invalid(left.ty, right.ty, span);
        }
        let element = self.size(target.ty, span)?;
        let kind = ExprKind::Difference { left: Box::new(left), right: Box::new(right), element };
        Ok(Expr { kind, ty: self.common.ptrdiff, span })
    }

    fn pointer_offset(&mut self, pointer: Expr, index: Expr, negative: bool, span: Span) -> Result<Expr> {
        let target = self.types.pointee(pointer.ty).expect("the caller has checked");
        let element = self.size(target.ty, span)?;
        let index = self.promote(index);
        let ty = pointer.ty;
        let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), element, negative };
        Ok(Expr { kind, ty, span })
    }

    fn compare(&mut self, op: Comparison, left: Expr, right: Expr, span: Span) -> Result<Expr> {
        let (pointer_left, pointer_right) = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        let fits = |types: &crate::types::Types, ty| types.is_pointer(ty) || types.is_integer(ty);
        let (left, right) = if pointer_left || pointer_right {
            if !fits(&self.types, left.ty) || !fits(&self.types, right.ty) {
                return self.invalid(left.ty, right.ty, span);
            }
            // A pointer and a number compare as pointers; two pointers as the first one's type.
            let ty = if pointer_left { left.ty } else { right.ty };
            (self.convert(left, ty), self.convert(right, ty))
        } else {
            if !self.types.is_arithmetic(left.ty) || !self.types.is_arithmetic(right.ty) {
                return self.invalid(left.ty, right.ty, span);
            }
            self.usual(left, right)
        };
        let kind = ExprKind::Compare(op, Box::new(left), Box::new(right));
        Ok(Expr { kind, ty: self.common.int, span })
    }

    pub(crate) fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: Option<&ast::Expr>,
        otherwise: &ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        let condition = self.condition(condition)?;
        let Some(then) = then else { return self.elvis(condition, otherwise, span) };
        let then = self.value(then)?;
        let otherwise = self.value(otherwise)?;
        let ty = self.conditional_type(&then, &otherwise, span)?;
        let (then, otherwise) = (self.arm(then, ty), self.arm(otherwise, ty));
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Ok(Expr { kind, ty, span })
    }

    fn elvis(&mut self, condition: Expr, otherwise: &ast::Expr, span: Span) -> Result<Expr> {
        let otherwise = self.value(otherwise)?;
        let ty = self.conditional_type(&condition, &otherwise, span)?;
        let otherwise = self.arm(otherwise, ty);
        Ok(Expr { kind: ExprKind::Elvis(Box::new(condition), Box::new(otherwise)), ty, span })
    }

    fn arm(&mut self, value: Expr, ty: TypeId) -> Expr {
        if self.types.is_void(ty) { self.to_void(value) } else { self.convert(value, ty) }
    }

    fn conditional_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Result<TypeId> {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.usual_type(a, b));
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            return Ok(self.common.void);
        }
        if a.ty == b.ty {
            return Ok(a.ty);
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => Ok(self.common_pointer((a, x), (b, y))),
            (Some(_), None) if self.types.is_integer(b.ty) => Ok(a.ty),
            (None, Some(_)) if self.types.is_integer(a.ty) => Ok(b.ty),
            _ => self.invalid(a.ty, b.ty, span),
        }
    }

    /// The type of `c ? a : b` for pointers: null constants yield, `void *` wins, qualifiers add up.
    fn common_pointer(&mut self, (a, x): (&Expr, QualType), (b, y): (&Expr, QualType)) -> TypeId {
        if self.is_null_constant(a) {
            return b.ty;
        }
        if self.is_null_constant(b) {
            return a.ty;
        }
        let quals = x.quals.with(y.quals);
        let void = QualType { ty: self.common.void, quals };
        let target = match (&self.types[x.ty], &self.types[y.ty]) {
            (Type::Void, _) | (_, Type::Void) => void,
            _ if self.types.compatible(x.ty, y.ty) => {
                let whole = self.types.composite(x.unqualified(), y.unqualified());
                QualType { ty: whole.ty, quals }
            }
            _ => void,
        };
        self.types.pointer_to(target)
    }
}

//! Assignments, `++` and `--`.

use base::Span;

use super::{Analyzer, Result, error};
use crate::ast;
use crate::typed::{Binary, Expr, ExprKind, Place, PlaceKind, Step, When};
use crate::types::Type;

impl Analyzer {
    pub(crate) fn assign(
        &mut self,
        op: Option<ast::Binary>,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Result<Expr> {
        let place = self.place(left, "an assignment")?;
        self.check_modifiable(&place)?;
        let value = self.value(right)?;
        match op {
            None => self.simple_assign(place, value, span),
            Some(op) => self.compound_assign(op, place, value, span),
        }
    }

    fn check_modifiable(&self, place: &Place) -> Result<()> {
        if Self::is_const(place.ty) {
            return error(place.span, "this is read-only: it is declared ‘const’");
        }
        if matches!(place.kind, PlaceKind::Temporary(_)) {
            return error(place.span, "the value of an expression cannot be assigned to");
        }
        match self.types[place.ty.ty] {
            Type::Array { .. } => error(place.span, "an array cannot be assigned to"),
            Type::Function(_) => error(place.span, "a function cannot be assigned to"),
            _ if !self.types.is_complete(place.ty.ty) => {
                let text = self.qual_text(place.ty);
                error(place.span, format!("an object of the incomplete type ‘{text}’ cannot be assigned to"))
            }
            _ => Ok(()),
        }
    }

    fn simple_assign(&mut self, place: Place, value: Expr, span: Span) -> Result<Expr> {
        let ty = place.ty.ty;
        let value = self.assignable(value, ty, "assignment")?;
        Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
    }

    fn compound_assign(&mut self, op: ast::Binary, place: Place, value: Expr, span: Span) -> Result<Expr> {
        let op = arithmetic(op);
        let ty = place.ty.ty;
        if let Some(target) = self.types.pointee(ty) {
            if !matches!(op, Binary::Add | Binary::Sub) || !self.types.is_integer(value.ty) {
                return error(span, "a pointer can only be moved by an integer, with ‘+=’ or ‘-=’");
            }
            let element = self.size(target.ty, span)?;
            let index = Box::new(self.promote(value));
            let negative = op == Binary::Sub;
            let kind = ExprKind::AssignOffset { place: Box::new(place), index, element, negative };
            return Ok(Expr { kind, ty, span });
        }
        self.check_arithmetic(op, ty, value.ty, span)?;
        // The type to compute in is found as if the place were read here.
        let read = Expr { kind: ExprKind::Load(Box::new(place)), ty, span };
        let (compute, value) = if matches!(op, Binary::Shl | Binary::Shr) {
            (self.promoted_type(&read), self.promote(value))
        } else {
            let compute = self.usual_type(&read, &value);
            (compute, self.convert(value, compute))
        };
        let ExprKind::Load(place) = read.kind else { unreachable!("built above") };
        Ok(Expr { kind: ExprKind::AssignOp { place, op, value: Box::new(value), compute }, ty, span })
    }

    pub(crate) fn increment(&mut self, operand: &ast::Expr, by: Step, result: When, span: Span) -> Result<Expr> {
        let place = self.place(operand, "‘++’ or ‘--’")?;
        self.check_modifiable(&place)?;
        let ty = place.ty.ty;
        let element = match self.types.pointee(ty) {
            Some(target) => Some(self.size(target.ty, span)?),
            None => None,
        };
        if !self.types.is_scalar(ty) {
            return error(span, format!("wrong type ‘{}’ for ‘++’ or ‘--’", self.type_text(ty)));
        }
        Ok(Expr { kind: ExprKind::Increment { place: Box::new(place), by, result, element }, ty, span })
    }
}

fn arithmetic(op: ast::Binary) -> Binary {
    match op {
        ast::Binary::Mul => Binary::Mul,
        ast::Binary::Div => Binary::Div,
        ast::Binary::Rem => Binary::Rem,
        ast::Binary::Sub => Binary::Sub,
        ast::Binary::Shl => Binary::Shl,
        ast::Binary::Shr => Binary::Shr,
        ast::Binary::BitAnd => Binary::And,
        ast::Binary::BitXor => Binary::Xor,
        ast::Binary::BitOr => Binary::Or,
        _ => Binary::Add,
    }
}

//! `sizeof`, alignments, offsets, and the constants the grammar asks for.

use base::Span;

use super::expr::Operand;
use super::{Analyzer, Result, error};
use crate::ast::{self, Designator};
use crate::typed::{Binary, Constant, Expr, ExprKind, Place, PlaceKind, Size, Statement, StatementKind};
use crate::types::{ArrayLength, QualType, Type, TypeId, VlaId};

impl Analyzer {
    /// An integer constant expression's value.
    pub(crate) fn constant_integer(&mut self, expr: &ast::Expr, what: &str) -> Result<i128> {
        let value = self.value(expr)?;
        if !self.types.is_integer(value.ty) {
            let text = self.type_text(value.ty);
            return error(expr.span, format!("the {what} has the type ‘{text}’, not an integer type"));
        }
        match self.evaluator().integer(&value) {
            Some(number) => Ok(number),
            None => error(expr.span, format!("the {what} is not an integer constant")),
        }
    }

    /// Size of the elements a pointer steps over: `void` and functions count one byte, as GNU C has it.
    pub(crate) fn size(&self, ty: TypeId, span: Span) -> Result<Size> {
        match self.types[ty] {
            Type::Void | Type::Function(_) => return Ok(Size { bytes: 1, times: Vec::new() }),
            Type::Array { element, length } => {
                let mut size = self.size(element.ty, span)?;
                match length {
                    ArrayLength::Known(count) => size.bytes = size.bytes.wrapping_mul(count),
                    ArrayLength::Variable(id) => size.times.push(id),
                    ArrayLength::Unknown => return self.incomplete(ty, span),
                }
                return Ok(size);
            }
            _ => {}
        }
        match self.types.size_of(ty) {
            Some(bytes) => Ok(Size { bytes, times: Vec::new() }),
            None => self.incomplete(ty, span),
        }
    }

    fn incomplete<T>(&self, ty: TypeId, span: Span) -> Result<T> {
        error(span, format!("the size of the incomplete type ‘{}’ is needed here", self.type_text(ty)))
    }

    fn size_expr(&mut self, ty: TypeId, span: Span) -> Result<Expr> {
        let size = self.size(ty, span)?;
        let result = self.common.size;
        if size.times.is_empty() {
            return Ok(self.int_constant(u128::from(size.bytes), result, span));
        }
        Ok(Expr { kind: ExprKind::SizeOfVla(size), ty: result, span })
    }

    pub(crate) fn sizeof_expr(&mut self, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let mark = self.pending_vlas.len();
        let operand = self.unevaluated(|this| this.operand(operand))?;
        if let Operand::Place(place) = &operand
            && let PlaceKind::Field { record, field, .. } = &place.kind
            && self.types.records[*record].body.as_ref().is_some_and(|body| body.fields[*field as usize].bits.is_some())
        {
            return error(span, "‘sizeof’ cannot be applied to a bit-field");
        }
        let ty = self.operand_type(&operand);
        let size = self.size_expr(ty.ty, span)?;
        Ok(self.after_vlas(mark, size))
    }

    /// Analyses an operand that is only asked for its type.
    pub(crate) fn unevaluated<T>(&mut self, analyse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.unevaluated += 1;
        let result = analyse(self);
        self.unevaluated -= 1;
        result
    }

    pub(crate) fn sizeof_type(&mut self, name: &ast::TypeName, span: Span) -> Result<Expr> {
        let mark = self.pending_vlas.len();
        let ty = self.type_name(name)?;
        let size = self.size_expr(ty.ty, span)?;
        Ok(self.after_vlas(mark, size))
    }

    /// `expr`, preceded by the evaluation of the variable lengths met since `mark`.
    pub(crate) fn after_vlas(&mut self, mark: usize, expr: Expr) -> Expr {
        // In an operand that is not evaluated they wait for the `sizeof` around it.
        if self.pending_vlas.len() <= mark || self.unevaluated > 0 {
            return expr;
        }
        let (ty, span) = (expr.ty, expr.span);
        let ids: Vec<VlaId> = self.pending_vlas.drain(mark..).collect();
        let statements = ids.into_iter().map(|id| Statement { kind: StatementKind::Vla(id), span }).collect();
        let value = if self.types.is_void(ty) { None } else { Some(Box::new(expr)) };
        Expr { kind: ExprKind::Statement(statements, value, span), ty, span }
    }

    pub(crate) fn alignof_type(&mut self, name: &ast::TypeName, which: ast::Alignof, span: Span) -> Result<Expr> {
        let specified = self.type_name_aligned(name)?;
        let align = match specified.align {
            Some(align) => align,
            None => self.alignment(specified.ty, which, span)?,
        };
        Ok(self.int_constant(u128::from(align), self.common.size, span))
    }

    fn alignment(&self, ty: QualType, which: ast::Alignof, span: Span) -> Result<u64> {
        let whole = matches!(self.types[ty.ty], Type::Void | Type::Function(_) | Type::Array { .. });
        if !whole && !self.types.is_complete(ty.ty) {
            return self.incomplete(ty.ty, span);
        }
        Ok(match which {
            ast::Alignof::Least => self.types.align_of(ty),
            ast::Alignof::Preferred => self.types.preferred_align(ty),
        })
    }

    /// A variable has the alignment it is declared with, a member that of members, anything else what its type prefers.
    pub(crate) fn alignof_expr(&mut self, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let operand = self.unevaluated(|this| this.operand(operand))?;
        let declared = match &operand {
            Operand::Place(place) => match place.kind {
                PlaceKind::Object(id) => self.objects[id].align,
                PlaceKind::Local(id) => self.current.as_ref().and_then(|state| state.locals.get(id)?.align),
                _ => None,
            },
            _ => None,
        };
        let ty = self.operand_type(&operand);
        let which = match &operand {
            Operand::Place(Place { kind: PlaceKind::Field { .. }, .. }) => ast::Alignof::Least,
            _ => ast::Alignof::Preferred,
        };
        let align = match declared {
            Some(align) => align,
            None => self.alignment(ty, which, span)?,
        };
        Ok(self.int_constant(u128::from(align), self.common.size, span))
    }

    /// `__builtin_offsetof`, whose array indices may vary.
    pub(crate) fn offsetof(&mut self, name: &ast::TypeName, path: &[Designator], span: Span) -> Result<Expr> {
        let mut ty = self.type_name(name)?;
        let mut offset = 0u64;
        let mut varying: Option<Expr> = None;
        for designator in path {
            match designator {
                Designator::Field(member, member_span) => {
                    let Some(record) = self.types.record_id(ty.ty) else {
                        return error(*member_span, format!("‘{}’ has no members", self.qual_text(ty)));
                    };
                    let (member_ty, member_offset) = self.member_offset(record, *member, *member_span)?;
                    ty = member_ty;
                    offset = offset.wrapping_add(member_offset);
                }
                Designator::Index(index) => {
                    let Some((element, _)) = self.types.element(ty.ty) else {
                        return error(index.span, format!("‘{}’ has no elements", self.qual_text(ty)));
                    };
                    ty = element;
                    let bytes = self.size(element.ty, index.span)?.bytes;
                    let index = self.value(index)?;
                    match self.evaluator().integer(&index) {
                        Some(number) => offset = offset.wrapping_add((number as u64).wrapping_mul(bytes)),
                        None => varying = Some(self.add_index(varying, index, bytes, span)),
                    }
                }
                Designator::Range(low, _) => return error(low.span, "a range has no single offset"),
            }
        }
        let bits = self.types.pointer_bytes() * 8;
        let offset = u128::from(offset) & ((1 << bits) - 1);
        let constant = self.int_constant(offset, self.common.size, span);
        Ok(match varying {
            Some(index) => self.size_binary(Binary::Add, constant, index, span),
            None => constant,
        })
    }

    fn size_binary(&self, op: Binary, left: Expr, right: Expr, span: Span) -> Expr {
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: self.common.size, span }
    }

    fn add_index(&mut self, sum: Option<Expr>, index: Expr, bytes: u64, span: Span) -> Expr {
        let index = self.convert(index, self.common.size);
        let factor = self.int_constant(u128::from(bytes), self.common.size, span);
        let product = self.size_binary(Binary::Mul, index, factor, span);
        match sum {
            Some(sum) => self.size_binary(Binary::Add, sum, product, span),
            None => product,
        }
    }

    fn member_offset(
        &self,
        record: crate::types::RecordId,
        member: base::Symbol,
        span: Span,
    ) -> Result<(QualType, u64)> {
        let Some(path) = self.find_member(record, member) else { return self.no_member(record, member, span) };
        let (mut record, mut offset, mut ty) = (record, 0, None);
        for index in path {
            let body = self.types.records[record].body.as_ref().expect("a record with members is complete");
            let field = &body.fields[index as usize];
            offset += field.offset;
            if field.bits.is_some() {
                return error(span, "a bit-field has no offset in bytes");
            }
            ty = Some(field.ty);
            if let Some(inner) = self.types.record_id(field.ty.ty) {
                record = inner;
            }
        }
        Ok((ty.expect("a path is never empty"), offset))
    }

    /// A literal integer has the first type of its list that holds it.
    pub(crate) fn integer_literal(&mut self, value: u128, suffix: ast::IntSuffix, decimal: bool) -> (Constant, TypeId) {
        use crate::types::IntKind as K;
        let signed = [K::Int, K::Long, K::LongLong, K::Int128];
        let model = self.types.data_model;
        let first = usize::from(suffix.longs.min(2));
        for kind in &signed[first..] {
            let bits = kind.bits(model);
            let fits = |bits: u32| bits >= 128 || value < 1 << bits;
            if !suffix.unsigned && fits(bits - 1) {
                return (Constant::Int(value), self.int_type(*kind));
            }
            if (suffix.unsigned || !decimal) && fits(bits) {
                return (Constant::Int(value), self.int_type(kind.to_unsigned()));
            }
        }
        (Constant::Int(value), self.int_type(K::UInt128))
    }
}

//! Places reached from others: members, elements, what pointers point to; compound literals; casts.

use base::{Span, Symbol};

use super::expr::Operand;
use super::{Analyzer, Result, error, error_help};
use crate::ast;
use crate::typed::{Expr, ExprKind, LocalId, Place, PlaceKind};
use crate::types::{QualType, Quals, RecordKind, Type, TypeId};

impl Analyzer {
    pub(crate) fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Result<Place> {
        let left = self.indexable(base)?;
        let right = self.indexable(index)?;
        let (pointer, index) = if self.types.is_pointer(left.ty) { (left, right) } else { (right, left) };
        let Some(target) = self.types.pointee(pointer.ty) else {
            return error(span, format!("a value of type ‘{}’ cannot be indexed", self.type_text(pointer.ty)));
        };
        if !self.types.is_integer(index.ty) {
            return error(index.span, format!("an index has the type ‘{}’", self.type_text(index.ty)));
        }
        let element = self.size(target.ty, span)?;
        let index = self.promote(index);
        let ty = pointer.ty;
        let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), element, negative: false };
        Ok(Place { kind: PlaceKind::Deref(Box::new(Expr { kind, ty, span })), ty: target, span })
    }

    /// As a value, but an array that is only indexed does not have its address taken.
    fn indexable(&mut self, expr: &ast::Expr) -> Result<Expr> {
        match self.operand(expr)? {
            Operand::Place(place) if self.types.element(place.ty.ty).is_some() => Ok(self.decay_array(place)),
            operand => self.decay(operand),
        }
    }

    pub(crate) fn dereference(&mut self, operand: &ast::Expr, span: Span) -> Result<Place> {
        let pointer = self.indexable(operand)?;
        let Some(target) = self.types.pointee(pointer.ty) else {
            return error(span, format!("a value of type ‘{}’ is not a pointer", self.type_text(pointer.ty)));
        };
        Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: target, span })
    }

    pub(crate) fn member(&mut self, base: &ast::Expr, name: Symbol, name_span: Span, span: Span) -> Result<Place> {
        let place = match self.operand(base)? {
            Operand::Place(place) => place,
            Operand::Value(value) => {
                let (ty, span) = (QualType::plain(value.ty), value.span);
                Place { kind: PlaceKind::Temporary(Box::new(value)), ty, span }
            }
            Operand::Function(_, span) => return error(span, "a function has no members"),
        };
        self.member_of(place, name, name_span, span)
    }

    pub(crate) fn arrow(&mut self, base: &ast::Expr, name: Symbol, name_span: Span, span: Span) -> Result<Place> {
        let pointer = self.indexable(base)?;
        let Some(target) = self.types.pointee(pointer.ty) else {
            let text = self.type_text(pointer.ty);
            return error(span, format!("‘->’ is applied to a value of type ‘{text}’, which is not a pointer"));
        };
        let base_span = pointer.span;
        let place = Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: target, span: base_span };
        self.member_of(place, name, name_span, span)
    }

    fn member_of(&mut self, place: Place, name: Symbol, name_span: Span, span: Span) -> Result<Place> {
        let Some(record) = self.types.record_id(place.ty.ty) else {
            let (text, name) = (self.qual_text(place.ty), self.name(name));
            return error(name_span, format!("‘{text}’ has no member ‘{name}’: it is neither a struct nor a union"));
        };
        let Some(body) = &self.types.records[record].body else { return self.no_member(record, name, name_span) };
        // Nearly always the member is a direct one.
        if let Some(index) = body.fields.iter().position(|field| field.name == Some(name)) {
            return Ok(self.step_into(place, index as u32, span));
        }
        let Some(path) = self.find_member(record, name) else { return self.no_member(record, name, name_span) };
        Ok(path.into_iter().fold(place, |place, index| self.step_into(place, index, span)))
    }

    /// The member at `index`, with the qualifiers of the whole.
    fn step_into(&mut self, place: Place, index: u32, span: Span) -> Place {
        let record = self.types.record_id(place.ty.ty).expect("only records have members");
        let body = self.types.records[record].body.as_ref().expect("a record with members is complete");
        let own = body.fields[index as usize].ty;
        let ty = self.types.qualify(own, place.ty.quals.without(Quals::ATOMIC).without(Quals::RESTRICT));
        Place { kind: PlaceKind::Field { base: Box::new(place), record, field: index }, ty, span }
    }

    pub(crate) fn address_of_expr(&mut self, operand: &ast::Expr, span: Span) -> Result<Expr> {
        match self.operand(operand)? {
            Operand::Place(place) => {
                if self.is_bit_field(&place) {
                    return error(span, "the address of a bit-field cannot be taken");
                }
                if let Some(id) = self.register_of(&place) {
                    let name = self.local_mut(id).name.map_or("", |name| self.names.resolve(name));
                    let message = format!("the address of the register variable ‘{name}’ is taken");
                    return error_help(span, message, "remove ‘register’ from its declaration");
                }
                if matches!(place.kind, PlaceKind::Temporary(_)) {
                    return error(span, "‘&’ needs an lvalue");
                }
                let address = self.address_of(place);
                Ok(Expr { span, ..address })
            }
            function @ Operand::Function(..) => self.decay(function),
            Operand::Value(_) => error(span, "‘&’ needs an lvalue"),
        }
    }

    /// The local declared `register` that a place lies in.
    fn register_of(&self, place: &Place) -> Option<LocalId> {
        match &place.kind {
            PlaceKind::Local(id) => self.current.as_ref()?.registers.contains(id).then_some(*id),
            PlaceKind::Field { base, .. } => self.register_of(base),
            _ => None,
        }
    }

    pub(crate) fn is_bit_field(&self, place: &Place) -> bool {
        let PlaceKind::Field { record, field, .. } = place.kind else { return false };
        self.types.records[record].body.as_ref().is_some_and(|body| body.fields[field as usize].bits.is_some())
    }

    pub(crate) fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        items: &[ast::InitItem],
        span: Span,
    ) -> Result<Place> {
        let mark = self.pending_vlas.len();
        let ty = self.type_name(name)?;
        self.pending_vlas.truncate(mark);
        if self.types.is_variable(ty.ty) {
            return error(span, "a compound literal cannot have a variable size");
        }
        if self.current.is_none() || self.static_context {
            let symbol = self.names.intern("compound.literal");
            let symbol = self.local_object_name(symbol);
            let id = self.anonymous_object(symbol, ty, span);
            let (ty, init) = self.static_list(ty, items, span)?;
            self.objects[id].ty = ty;
            self.objects[id].init = Some(init);
            return Ok(Place { kind: PlaceKind::Object(id), ty, span });
        }
        let (ty, init) = self.local_list(ty, items, span)?;
        let id = self.new_local(None, ty, span);
        Ok(Place { kind: PlaceKind::Compound(id, Box::new(init)), ty, span })
    }

    pub(crate) fn cast(&mut self, name: &ast::TypeName, operand: &ast::Expr, span: Span) -> Result<Expr> {
        let mark = self.pending_vlas.len();
        let to = self.type_name(name)?;
        let lengths = self.pending_vlas.split_off(mark);
        let value = self.value(operand)?;
        let value = self.cast_value(value, to, span)?;
        let mark = self.pending_vlas.len();
        self.pending_vlas.extend(lengths);
        Ok(self.after_vlas(mark, value))
    }

    fn cast_value(&mut self, value: Expr, to: QualType, span: Span) -> Result<Expr> {
        let ty = to.ty;
        if self.types.is_void(ty) {
            let value = self.to_void(value);
            return Ok(Expr { span, ..value });
        }
        if value.ty == ty {
            return Ok(Expr { span, ..value });
        }
        if let Type::Record(id) = self.types[ty] {
            return match self.types.records[id].kind {
                RecordKind::Union => self.cast_to_union(value, ty, span),
                RecordKind::Struct => error(span, format!("a cast to ‘{}’ is not possible", self.type_text(ty))),
            };
        }
        if !self.types.is_scalar(ty) {
            return error(span, format!("a cast to ‘{}’ is not possible", self.type_text(ty)));
        }
        if self.types.is_void(value.ty) {
            return error(value.span, "the value of an expression of type ‘void’ is used");
        }
        if !self.types.is_scalar(value.ty) {
            let text = self.type_text(value.ty);
            return error(span, format!("a value of type ‘{text}’ cannot be cast to ‘{}’", self.type_text(ty)));
        }
        let mixes = |a: TypeId, b: TypeId| self.types.is_pointer(a) && self.types.float_kind(b).is_some();
        if mixes(ty, value.ty) || mixes(value.ty, ty) {
            let (from, to) = (self.type_text(value.ty), self.type_text(ty));
            return error(span, format!("a value of type ‘{from}’ cannot be cast to ‘{to}’"));
        }
        let value = self.convert(value, ty);
        Ok(Expr { span, ..value })
    }

    pub(crate) fn va_arg(&mut self, list: &ast::Expr, name: &ast::TypeName, span: Span) -> Result<Expr> {
        let address = self.va_list_address(list)?;
        if !self.is_va_list_address(address.ty) {
            return error(list.span, "the first operand of ‘va_arg’ is not a ‘va_list’");
        }
        let ty = self.type_name(name)?;
        if !self.types.is_complete(ty.ty) {
            return error(span, format!("‘va_arg’ needs a complete type, not ‘{}’", self.qual_text(ty)));
        }
        Ok(Expr { kind: ExprKind::VaArg(Box::new(address)), ty: ty.ty, span })
    }

    fn is_va_list_address(&mut self, address: TypeId) -> bool {
        let list = self.va_list_type().ty;
        let object = self.types.element(list).map_or(list, |(element, _)| element.ty);
        self.types.pointee(address).is_some_and(|target| self.types.compatible(target.ty, object))
    }

    /// The address of a `va_list` object. On x86-64 it is an array, which a parameter already has turned into its address.
    pub(crate) fn va_list_address(&mut self, list: &ast::Expr) -> Result<Expr> {
        let operand = self.operand(list)?;
        let ty = self.va_list_type().ty;
        let array = self.types.element(ty).is_some();
        match operand {
            Operand::Place(place) if !array => Ok(self.address_of(place)),
            operand if array => self.decay(operand),
            _ => error(list.span, "a ‘va_list’ must be an lvalue"),
        }
    }
}

//! Conversions, all explicit: decay, promotions, usual arithmetic conversions, assignment.

use base::Span;

use super::expr::Operand;
use super::{Analyzer, Result, error};
use crate::typed::{Binary, Expr, ExprKind, Place, PlaceKind};
use crate::types::{FloatKind, IntKind, QualType, Quals, RecordId, Type, TypeId};

impl Analyzer {
    /// The value of an operand: places are read, arrays and functions become pointers.
    pub(crate) fn decay(&mut self, operand: Operand) -> Result<Expr> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(id, span) => {
                self.mark_used(id);
                let function = QualType::plain(self.functions[id].ty);
                let ty = self.types.pointer_to(function);
                Ok(Expr { kind: ExprKind::FunctionAddress(id), ty, span })
            }
            Operand::Place(place) => self.load(place),
        }
    }

    fn load(&mut self, place: Place) -> Result<Expr> {
        match self.types[place.ty.ty] {
            Type::Array { .. } => {
                self.mark_address(&place);
                Ok(self.decay_array(place))
            }
            Type::Function(_) => match place.kind {
                PlaceKind::Deref(pointer) => Ok(*pointer),
                _ => Ok(self.address_of(place)),
            },
            Type::Void => Ok(self.discard_place(place)),
            Type::Record(_) if !self.types.is_complete(place.ty.ty) => {
                let text = self.qual_text(place.ty);
                error(place.span, format!("an object of the incomplete type ‘{text}’ cannot be read"))
            }
            _ => Ok(Expr { ty: place.ty.ty, span: place.span, kind: ExprKind::Load(Box::new(place)) }),
        }
    }

    /// A pointer to the first element. The caller decides whether that counts as taking the address.
    pub(crate) fn decay_array(&mut self, place: Place) -> Expr {
        let element = match self.types.element(place.ty.ty) {
            Some((element, _)) => element.with(place.ty.quals.without(Quals::ATOMIC)),
            None => place.ty,
        };
        let ty = self.types.pointer_to(element);
        Expr { ty, span: place.span, kind: ExprKind::AddressOf(Box::new(place)) }
    }

    /// A place named for nothing: what leads to it is evaluated, it is not read.
    pub(crate) fn discard_place(&mut self, place: Place) -> Expr {
        let span = place.span;
        let inner = match place.kind {
            PlaceKind::Deref(pointer) => *pointer,
            _ => self.decay_array(place),
        };
        Expr { kind: ExprKind::Cast(Box::new(inner)), ty: self.common.void, span }
    }

    pub(crate) fn to_void(&self, value: Expr) -> Expr {
        if self.types.is_void(value.ty) {
            return value;
        }
        let span = value.span;
        Expr { kind: ExprKind::Cast(Box::new(value)), ty: self.common.void, span }
    }

    /// `&place`.
    pub(crate) fn address_of(&mut self, place: Place) -> Expr {
        self.mark_address(&place);
        let ty = self.types.pointer_to(place.ty);
        let span = place.span;
        match place.kind {
            // `&*p` is `p`, and reads nothing.
            PlaceKind::Deref(pointer) if pointer.ty == ty => *pointer,
            PlaceKind::Deref(pointer) => Expr { kind: ExprKind::Cast(pointer), ty, span },
            _ => Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span },
        }
    }

    /// The object or local a place lies in has its address taken.
    pub(crate) fn mark_address(&mut self, place: &Place) {
        if self.unevaluated > 0 {
            return;
        }
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Object(id) => {
                    self.objects[*id].address_taken = true;
                    return;
                }
                PlaceKind::Local(id) | PlaceKind::Compound(id, _) => {
                    let id = *id;
                    if let Some(state) = &mut self.current
                        && state.locals.get(id).is_some()
                    {
                        state.locals[id].address_taken = true;
                    }
                    return;
                }
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Deref(pointer) => match array_below(pointer) {
                    Some(array) => place = array,
                    None => return,
                },
                PlaceKind::String(_) | PlaceKind::Temporary(_) => return,
            }
        }
    }

    /// Converts a scalar. Constants are converted on the spot.
    pub(crate) fn convert(&mut self, value: Expr, to: TypeId) -> Expr {
        if value.ty == to {
            return value;
        }
        if let ExprKind::Constant(constant) = value.kind
            && let Some(constant) = self.evaluator().convert(constant, value.ty, to)
        {
            return Expr { kind: ExprKind::Constant(constant), ty: to, span: value.span };
        }
        let span = value.span;
        Expr { kind: ExprKind::Cast(Box::new(value)), ty: to, span }
    }

    /// The width of the bit-field that a value was read from or written to.
    fn bit_field_width(&self, value: &Expr) -> Option<u8> {
        let place = match &value.kind {
            ExprKind::Load(place) | ExprKind::Assign(place, _) => place,
            ExprKind::AssignOp { place, .. } | ExprKind::Increment { place, .. } => place,
            ExprKind::Comma(_, right) => return self.bit_field_width(right),
            _ => return None,
        };
        let PlaceKind::Field { record, field, .. } = place.kind else { return None };
        let body = self.types.records[record].body.as_ref()?;
        body.fields[field as usize].bits.map(|bits| bits.width)
    }

    /// The type integer promotions give a value; bit-fields narrower than `int` become `int`.
    pub(crate) fn promoted_type(&mut self, value: &Expr) -> TypeId {
        let kind = match self.types[value.ty] {
            Type::Bool => return self.common.int,
            _ => match self.types.int_kind(value.ty) {
                Some(kind) => kind,
                None => return value.ty,
            },
        };
        if let Some(width) = self.bit_field_width(value)
            && (width < 32 || (width == 32 && kind.signed()))
        {
            return self.common.int;
        }
        if let Some(32) = self.bit_field_width(value) {
            return self.common.uint;
        }
        match (kind.promoted(), &self.types[value.ty]) {
            (promoted, Type::Int(own)) if promoted == *own => value.ty,
            (promoted, _) => self.int_type(promoted),
        }
    }

    pub(crate) fn promote(&mut self, value: Expr) -> Expr {
        let to = self.promoted_type(&value);
        self.convert(value, to)
    }

    /// The default argument promotions: as [`Analyzer::promote`], and `float` becomes `double`.
    pub(crate) fn promote_argument(&mut self, value: Expr) -> Expr {
        match self.types.float_kind(value.ty) {
            Some(FloatKind::Float) => self.convert(value, self.common.double),
            Some(_) => value,
            None => self.promote(value),
        }
    }

    /// The common type of two arithmetic operands.
    pub(crate) fn usual_type(&mut self, left: &Expr, right: &Expr) -> TypeId {
        match (self.types.float_kind(left.ty), self.types.float_kind(right.ty)) {
            (Some(a), Some(b)) => return self.float_type(a.max(b)),
            (Some(a), None) => return self.float_type(a),
            (None, Some(b)) => return self.float_type(b),
            (None, None) => {}
        }
        let (a, b) = (self.promoted_type(left), self.promoted_type(right));
        if a == b {
            return a;
        }
        let kind = |ty| self.types.int_kind(ty).unwrap_or(IntKind::Int);
        let common = kind(a).common(kind(b), self.types.data_model);
        self.int_type(common)
    }

    pub(crate) fn usual(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let ty = self.usual_type(&left, &right);
        (self.convert(left, ty), self.convert(right, ty))
    }

    /// Converts as if by assignment to an object of type `to`, or says why that is impossible.
    pub(crate) fn assignable(&mut self, value: Expr, to: TypeId, what: &str) -> Result<Expr> {
        if value.ty == to {
            return Ok(value);
        }
        let from = &self.types[value.ty];
        let possible = match &self.types[to] {
            Type::Bool => self.types.is_scalar(value.ty),
            Type::Int(_) | Type::Enum(_) => {
                !matches!(from, Type::Void | Type::Record(_)) && self.types.is_scalar(value.ty)
            }
            Type::Float(_) => self.types.is_arithmetic(value.ty),
            Type::Pointer(_) => self.types.is_integer(value.ty) || matches!(from, Type::Pointer(_)),
            _ => false,
        };
        if possible {
            return Ok(self.convert(value, to));
        }
        if self.types.is_void(value.ty) {
            return error(value.span, "the value of an expression of type ‘void’ is used");
        }
        let (from, to) = (self.type_text(value.ty), self.type_text(to));
        error(value.span, format!("incompatible types in {what}: ‘{to}’ is needed, ‘{from}’ is given"))
    }

    /// Zero as an integer constant, or cast to `void *`.
    pub(crate) fn is_null_constant(&self, value: &Expr) -> bool {
        let inner = match &self.types[value.ty] {
            Type::Pointer(target) if self.types.is_void(target.ty) && target.quals == Quals::NONE => {
                match &value.kind {
                    ExprKind::Cast(inner) if self.types.is_integer(inner.ty) => inner,
                    ExprKind::Constant(crate::typed::Constant::Int(0)) => return true,
                    _ => return false,
                }
            }
            Type::Pointer(_) => return false,
            _ => value,
        };
        self.types.is_integer(inner.ty) && self.evaluator().integer(inner) == Some(0)
    }

    pub(crate) fn no_member<T>(&self, record: RecordId, member: base::Symbol, span: Span) -> Result<T> {
        let text = crate::types_print::record_text(&self.types, &self.names, record);
        if self.types.records[record].body.is_none() {
            return error(span, format!("‘{text}’ is incomplete, so its members are unknown"));
        }
        error(span, format!("‘{text}’ has no member ‘{}’", self.name(member)))
    }

    pub(crate) fn binary_expr(&self, op: Binary, left: Expr, right: Expr, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }
}

/// The array place that `a + i` points into.
fn array_below(pointer: &Expr) -> Option<&Place> {
    let mut pointer = pointer;
    loop {
        match &pointer.kind {
            ExprKind::Offset { pointer: inner, .. } | ExprKind::Cast(inner) => pointer = inner,
            ExprKind::AddressOf(place) => return Some(place),
            _ => return None,
        }
    }
}

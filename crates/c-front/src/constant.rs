//! Values known at translation time. Works on the typed tree, so that conversions are already where C wants them;
//! accepts what GCC folds, which is more than the standard's constant expressions.

use std::cmp::Ordering;

use base::IndexVec;

use crate::type_query::{sign_extend, truncate};
use crate::typed::{
    AddressBase, Binary, Builtin, Comparison, Constant, Expr, ExprKind, FunctionId, InitValue, Object, ObjectId, Place,
    PlaceKind, StringData, StringId, Unary,
};
use crate::types::{FloatKind, Quals, Type, TypeId, Types};
use base::float::{self, FloatOp};

/// What an evaluation may look at.
pub struct Evaluator<'a> {
    pub types: &'a Types,
    pub strings: &'a IndexVec<StringId, StringData>,
    pub objects: &'a IndexVec<ObjectId, Object>,
    /// Initialisers of static objects may read objects declared `const`; array sizes and case labels may not.
    pub read_objects: bool,
    /// The function whose labels may be named.
    pub function: Option<FunctionId>,
}

impl Evaluator<'_> {
    /// The value of a scalar expression, or `None` if it is not constant. Has no side effects to fear: an expression
    /// with any is not constant.
    pub fn evaluate(&self, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Constant(value) => Some(*value),
            ExprKind::FunctionAddress(id) => Some(address(AddressBase::Function(*id), 0)),
            ExprKind::LabelAddress(label) => Some(address(AddressBase::Label(self.function?, *label), 0)),
            ExprKind::AddressOf(place) => self.place_address(place),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Cast(operand) => self.cast(operand, expr.ty),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr.ty),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr.ty),
            ExprKind::Compare(op, left, right) => self.compare(*op, left, right),
            ExprKind::Offset { pointer, index, element, negative } if element.times.is_empty() => {
                self.offset(pointer, index, element.bytes, *negative)
            }
            ExprKind::Difference { left, right, element } if element.times.is_empty() => {
                self.difference(left, right, element.bytes, expr.ty)
            }
            ExprKind::LogAnd(left, right) => self.logical(left, right, false),
            ExprKind::LogOr(left, right) => self.logical(left, right, true),
            ExprKind::Conditional(condition, then, otherwise) => {
                let taken = if self.truth(condition)? { then } else { otherwise };
                self.evaluate(taken)
            }
            ExprKind::Elvis(condition, otherwise) => match self.truth(condition)? {
                true => self.cast(condition, expr.ty),
                false => self.evaluate(otherwise),
            },
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args),
            _ => None,
        }
    }

    /// The value of an integer expression, as the number it stands for.
    pub fn integer(&self, expr: &Expr) -> Option<i128> {
        match self.evaluate(expr)? {
            Constant::Int(value) => Some(self.number(value, expr.ty)),
            _ => None,
        }
    }

    /// Whether a scalar is not zero.
    pub fn truth(&self, expr: &Expr) -> Option<bool> {
        let value = self.evaluate(expr)?;
        self.is_true(value, expr.ty)
    }

    fn is_true(&self, value: Constant, ty: TypeId) -> Option<bool> {
        Some(match value {
            Constant::Int(value) => value != 0,
            Constant::Float(bits) => !float::is_zero(self.types.float_kind(ty)?, bits),
            Constant::Address { .. } => true,
        })
    }

    /// The number that the bits of an integer type stand for. Unsigned 128-bit values above the signed range wrap.
    pub fn number(&self, value: u128, ty: TypeId) -> i128 {
        match self.types.int_bits(ty) {
            Some(bits) if self.types.is_signed(ty) => sign_extend(value, bits),
            _ => value as i128,
        }
    }

    /// The address of a place with static storage, or the plain number of one below a constant pointer (`&((T *)0)->m`).
    pub fn place_address(&self, place: &Place) -> Option<Constant> {
        match &place.kind {
            PlaceKind::Object(id) if !self.objects[*id].thread_local => Some(address(AddressBase::Object(*id), 0)),
            PlaceKind::String(id) => Some(address(AddressBase::String(*id), 0)),
            PlaceKind::Deref(pointer) => self.evaluate(pointer),
            PlaceKind::Field { base, record, field } => {
                let body = self.types.records[*record].body.as_ref()?;
                let offset = body.fields[*field as usize].offset;
                self.advance(self.place_address(base)?, offset as i64)
            }
            _ => None,
        }
    }

    fn advance(&self, from: Constant, by: i64) -> Option<Constant> {
        let bits = self.types.pointer_bytes() as u32 * 8;
        match from {
            Constant::Int(value) => Some(Constant::Int(truncate(value.wrapping_add(by as i128 as u128), bits))),
            Constant::Address { base, offset } => Some(address(base, offset.wrapping_add(by))),
            Constant::Float(_) => None,
        }
    }

    fn load(&self, place: &Place) -> Option<Constant> {
        let Constant::Address { base, offset } = self.place_address(place)? else { return None };
        match base {
            AddressBase::String(id) => self.load_string(id, offset, place.ty.ty),
            AddressBase::Object(id) if self.read_objects && place.ty.quals.contains(Quals::CONST) => {
                self.load_object(id, offset, place)
            }
            _ => None,
        }
    }

    fn load_string(&self, id: StringId, offset: i64, ty: TypeId) -> Option<Constant> {
        let string = &self.strings[id];
        if self.types.size_of(ty)? != u64::from(string.unit) || offset % i64::from(string.unit) != 0 {
            return None;
        }
        let unit = string.units.get(usize::try_from(offset / i64::from(string.unit)).ok()?)?;
        Some(Constant::Int(truncate(u128::from(*unit), u32::from(string.unit) * 8)))
    }

    fn load_object(&self, id: ObjectId, offset: i64, place: &Place) -> Option<Constant> {
        let init = self.objects[id].init.as_ref()?;
        if place.ty.quals.contains(Quals::VOLATILE) {
            return None;
        }
        let part = init.parts.iter().rev().find(|part| {
            part.offset as i64 == offset && part.ty.ty == place.ty.ty && part.bits.is_none() && part.repeat.is_empty()
        })?;
        match part.value {
            InitValue::Value(value) => Some(value),
            InitValue::String(..) => None,
        }
    }

    fn cast(&self, operand: &Expr, to: TypeId) -> Option<Constant> {
        let value = self.evaluate(operand)?;
        self.convert(value, operand.ty, to)
    }

    /// A scalar conversion.
    pub fn convert(&self, value: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
        let types = self.types;
        if matches!(types[to], Type::Bool) {
            return Some(Constant::Int(u128::from(self.is_true(value, from)?)));
        }
        if let Some(kind) = types.float_kind(to) {
            return self.convert_to_float(value, from, kind);
        }
        let bits = types.int_bits(to)?;
        match value {
            Constant::Int(value) => Some(Constant::Int(truncate(self.number(value, from) as u128, bits))),
            Constant::Float(value) => {
                let kind = types.float_kind(from)?;
                Some(Constant::Int(float::to_integer(kind, value, bits, types.is_signed(to))))
            }
            Constant::Address { .. } if u64::from(bits) == types.pointer_bytes() * 8 => Some(value),
            Constant::Address { .. } => None,
        }
    }

    fn convert_to_float(&self, value: Constant, from: TypeId, kind: FloatKind) -> Option<Constant> {
        match value {
            Constant::Int(value) if self.types.is_signed(from) => {
                Some(Constant::Float(float::from_signed(kind, self.number(value, from))))
            }
            Constant::Int(value) => Some(Constant::Float(float::from_unsigned(kind, value))),
            Constant::Float(bits) => Some(Constant::Float(float::convert(self.types.float_kind(from)?, kind, bits))),
            Constant::Address { .. } => None,
        }
    }

    fn unary(&self, op: Unary, operand: &Expr, ty: TypeId) -> Option<Constant> {
        if op == Unary::Not {
            return Some(Constant::Int(u128::from(!self.truth(operand)?)));
        }
        match (op, self.evaluate(operand)?) {
            (Unary::Negate, Constant::Float(bits)) => {
                Some(Constant::Float(float::negate(self.types.float_kind(ty)?, bits)))
            }
            (Unary::Negate, Constant::Int(value)) => self.wrapped(value.wrapping_neg(), ty),
            (Unary::Complement, Constant::Int(value)) => self.wrapped(!value, ty),
            _ => None,
        }
    }

    fn wrapped(&self, value: u128, ty: TypeId) -> Option<Constant> {
        Some(Constant::Int(truncate(value, self.types.int_bits(ty)?)))
    }

    fn binary(&self, op: Binary, left: &Expr, right: &Expr, ty: TypeId) -> Option<Constant> {
        let (a, b) = (self.evaluate(left)?, self.evaluate(right)?);
        match (a, b) {
            (Constant::Int(a), Constant::Int(b)) => self.integers(op, a, b, right.ty, ty),
            (Constant::Float(a), Constant::Float(b)) => {
                let op = match op {
                    Binary::Add => FloatOp::Add,
                    Binary::Sub => FloatOp::Sub,
                    Binary::Mul => FloatOp::Mul,
                    Binary::Div => FloatOp::Div,
                    _ => return None,
                };
                Some(Constant::Float(float::binary(self.types.float_kind(ty)?, op, a, b)))
            }
            (Constant::Address { .. }, Constant::Int(by)) => match op {
                Binary::Add => self.advance(a, self.number(by, right.ty) as i64),
                Binary::Sub => self.advance(a, (self.number(by, right.ty) as i64).wrapping_neg()),
                _ => None,
            },
            (Constant::Int(by), Constant::Address { .. }) if op == Binary::Add => {
                self.advance(b, self.number(by, left.ty) as i64)
            }
            (Constant::Address { base, offset }, Constant::Address { base: other, offset: from })
                if op == Binary::Sub && base == other =>
            {
                self.wrapped(offset.wrapping_sub(from) as i128 as u128, ty)
            }
            _ => None,
        }
    }

    fn integers(&self, op: Binary, a: u128, b: u128, right: TypeId, ty: TypeId) -> Option<Constant> {
        let bits = self.types.int_bits(ty)?;
        let signed = self.types.is_signed(ty);
        let (x, y) = (self.number(a, ty), self.number(b, ty));
        let value = match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Div | Binary::Rem if b == 0 => return None,
            Binary::Div if signed => x.wrapping_div(y) as u128,
            Binary::Div => a / b,
            Binary::Rem if signed => x.wrapping_rem(y) as u128,
            Binary::Rem => a % b,
            Binary::Shl | Binary::Shr => {
                let amount = self.number(b, right);
                if !(0..i128::from(bits)).contains(&amount) {
                    return None;
                }
                match op {
                    Binary::Shl => a << amount,
                    _ if signed => (x >> amount) as u128,
                    _ => a >> amount,
                }
            }
        };
        Some(Constant::Int(truncate(value, bits)))
    }

    fn compare(&self, op: Comparison, left: &Expr, right: &Expr) -> Option<Constant> {
        let holds = match (self.evaluate(left)?, self.evaluate(right)?) {
            (Constant::Int(a), Constant::Int(b)) if self.types.is_signed(left.ty) => {
                holds(op, Some(self.number(a, left.ty).cmp(&self.number(b, left.ty))))
            }
            (Constant::Int(a), Constant::Int(b)) => holds(op, Some(a.cmp(&b))),
            (Constant::Float(a), Constant::Float(b)) => {
                holds(op, float::compare(self.types.float_kind(left.ty)?, a, b))
            }
            (Constant::Address { base: a, offset: x }, Constant::Address { base: b, offset: y }) if a == b => {
                holds(op, Some(x.cmp(&y)))
            }
            // No object has address zero, and different objects have different addresses.
            (Constant::Address { .. }, Constant::Int(0)) | (Constant::Int(0), Constant::Address { .. }) => match op {
                Comparison::Eq => false,
                Comparison::Ne => true,
                _ => return None,
            },
            (
                Constant::Address { base: a @ (AddressBase::Object(_) | AddressBase::Function(_)), offset: 0 },
                Constant::Address { base: b @ (AddressBase::Object(_) | AddressBase::Function(_)), offset: 0 },
            ) if a != b => match op {
                Comparison::Eq => false,
                Comparison::Ne => true,
                _ => return None,
            },
            _ => return None,
        };
        Some(Constant::Int(u128::from(holds)))
    }

    fn offset(&self, pointer: &Expr, index: &Expr, element: u64, negative: bool) -> Option<Constant> {
        let from = self.evaluate(pointer)?;
        let Constant::Int(index_value) = self.evaluate(index)? else { return None };
        let by = (self.number(index_value, index.ty) as i64).wrapping_mul(element as i64);
        self.advance(from, if negative { by.wrapping_neg() } else { by })
    }

    fn difference(&self, left: &Expr, right: &Expr, element: u64, ty: TypeId) -> Option<Constant> {
        let bytes = match (self.evaluate(left)?, self.evaluate(right)?) {
            (Constant::Int(a), Constant::Int(b)) => {
                let bits = self.types.pointer_bytes() as u32 * 8;
                sign_extend(a.wrapping_sub(b), bits)
            }
            (Constant::Address { base: a, offset: x }, Constant::Address { base: b, offset: y }) if a == b => {
                i128::from(x.wrapping_sub(y))
            }
            _ => return None,
        };
        if element == 0 {
            return None;
        }
        self.wrapped((bytes / i128::from(element)) as u128, ty)
    }

    fn logical(&self, left: &Expr, right: &Expr, decisive: bool) -> Option<Constant> {
        let value = match self.truth(left)? {
            left if left == decisive => decisive,
            _ => self.truth(right)?,
        };
        Some(Constant::Int(u128::from(value)))
    }

    fn builtin(&self, builtin: Builtin, args: &[Expr]) -> Option<Constant> {
        let first = args.first()?;
        match self.evaluate(first)? {
            Constant::Int(value) => self.integer_builtin(builtin, value, first.ty),
            Constant::Float(value) => self.float_builtin(builtin, value, first.ty, args.get(1)),
            Constant::Address { .. } => None,
        }
    }

    fn integer_builtin(&self, builtin: Builtin, value: u128, ty: TypeId) -> Option<Constant> {
        let bits = self.types.int_bits(ty)?;
        let spare = 128 - bits;
        let result = match builtin {
            Builtin::CountLeadingZeros if value != 0 => value.leading_zeros() - spare,
            Builtin::CountTrailingZeros if value != 0 => value.trailing_zeros(),
            Builtin::PopCount => value.count_ones(),
            Builtin::Parity => value.count_ones() & 1,
            Builtin::FindFirstSet => {
                if value == 0 {
                    0
                } else {
                    value.trailing_zeros() + 1
                }
            }
            Builtin::LeadingRedundantSignBits => {
                let extended = sign_extend(value, bits);
                let same = if extended < 0 { extended.leading_ones() } else { extended.leading_zeros() };
                same - spare - 1
            }
            Builtin::ByteSwap => return Some(Constant::Int(value.swap_bytes() >> spare)),
            _ => return None,
        };
        Some(Constant::Int(u128::from(result)))
    }

    fn float_builtin(&self, builtin: Builtin, value: u128, ty: TypeId, second: Option<&Expr>) -> Option<Constant> {
        let kind = self.types.float_kind(ty)?;
        let truth = match builtin {
            Builtin::Fabs => return Some(Constant::Float(float::absolute(kind, value))),
            Builtin::IsNan => float::is_nan(kind, value),
            Builtin::IsInf => float::is_infinite(kind, value),
            Builtin::IsFinite => !float::is_nan(kind, value) && !float::is_infinite(kind, value),
            Builtin::IsNormal => float::is_normal(kind, value),
            Builtin::SignBit => float::is_negative(kind, value),
            _ => {
                let Constant::Float(other) = self.evaluate(second?)? else { return None };
                let order = float::compare(kind, value, other);
                match builtin {
                    Builtin::CopySign => return Some(Constant::Float(float::copy_sign(kind, value, other))),
                    Builtin::IsGreater => order == Some(Ordering::Greater),
                    Builtin::IsGreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                    Builtin::IsLess => order == Some(Ordering::Less),
                    Builtin::IsLessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                    Builtin::IsLessGreater => matches!(order, Some(Ordering::Less | Ordering::Greater)),
                    Builtin::IsUnordered => order.is_none(),
                    _ => return None,
                }
            }
        };
        Some(Constant::Int(u128::from(truth)))
    }
}

fn address(base: AddressBase, offset: i64) -> Constant {
    Constant::Address { base, offset }
}

/// `order` is `None` when a NaN takes part: then only `!=` holds.
fn holds(op: Comparison, order: Option<Ordering>) -> bool {
    let Some(order) = order else { return op == Comparison::Ne };
    match op {
        Comparison::Eq => order == Ordering::Equal,
        Comparison::Ne => order != Ordering::Equal,
        Comparison::Lt => order == Ordering::Less,
        Comparison::Le => order != Ordering::Greater,
        Comparison::Gt => order == Ordering::Greater,
        Comparison::Ge => order != Ordering::Less,
    }
}

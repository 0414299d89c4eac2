//! Questions about types that need no layout: kinds, widths, promotions, compatibility.

use crate::types::{
    ArrayLength, DataModel, FloatKind, FunctionType, IntKind, QualType, Quals, RecordId, Type, TypeId, Types,
};

impl IntKind {
    pub fn bits(self, model: DataModel) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => match model {
                DataModel::Lp64 => 64,
                DataModel::Ilp32 => 32,
            },
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    /// Plain `char` is signed on x86.
    pub fn signed(self) -> bool {
        !matches!(
            self,
            IntKind::UChar | IntKind::UShort | IntKind::UInt | IntKind::ULong | IntKind::ULongLong | IntKind::UInt128
        )
    }

    pub fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            unsigned => unsigned,
        }
    }

    pub fn to_signed(self) -> IntKind {
        match self {
            IntKind::UChar => IntKind::SChar,
            IntKind::UShort => IntKind::Short,
            IntKind::UInt => IntKind::Int,
            IntKind::ULong => IntKind::Long,
            IntKind::ULongLong => IntKind::LongLong,
            IntKind::UInt128 => IntKind::Int128,
            signed => signed,
        }
    }

    /// The integer promotions (for a value that is not a bit-field).
    pub fn promoted(self) -> IntKind {
        if self.rank() < IntKind::Int.rank() { IntKind::Int } else { self }
    }

    /// The common type of the usual arithmetic conversions, operands already promoted.
    pub fn common(self, other: IntKind, model: DataModel) -> IntKind {
        if self == other {
            return self;
        }
        if self.signed() == other.signed() {
            return if self.rank() >= other.rank() { self } else { other };
        }
        let (signed, unsigned) = if self.signed() { (self, other) } else { (other, self) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits(model) > unsigned.bits(model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }
}

/// `value` cut to its low `bits` bits.
pub fn truncate(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1u128 << bits) - 1) }
}

/// The signed number that the low `bits` bits stand for.
pub fn sign_extend(value: u128, bits: u32) -> i128 {
    if bits >= 128 {
        return value as i128;
    }
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}

impl Types {
    /// The integer kind of an integer or enumerated type; `None` for `_Bool` and everything else.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self[ty] {
            Type::Int(kind) => Some(kind),
            // An enum mentioned before its body counts as `unsigned int`, GCC's default.
            Type::Enum(id) => Some(self.enums[id].underlying.unwrap_or(IntKind::UInt)),
            _ => None,
        }
    }

    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self[ty] {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Bool | Type::Int(_) | Type::Enum(_))
    }

    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_))
    }

    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Pointer(_))
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self[ty], Type::Void)
    }

    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self[ty] {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    pub fn element(&self, ty: TypeId) -> Option<(QualType, ArrayLength)> {
        match self[ty] {
            Type::Array { element, length } => Some((element, length)),
            _ => None,
        }
    }

    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match &self[ty] {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }

    pub fn record_id(&self, ty: TypeId) -> Option<RecordId> {
        match self[ty] {
            Type::Record(id) => Some(id),
            _ => None,
        }
    }

    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.int_kind(ty).is_some_and(IntKind::signed)
    }

    /// Width of an integer or pointer value in bits; `_Bool` counts as its byte.
    pub fn int_bits(&self, ty: TypeId) -> Option<u32> {
        match self[ty] {
            Type::Bool => Some(8),
            Type::Pointer(_) => Some(self.pointer_bytes() as u32 * 8),
            _ => self.int_kind(ty).map(|kind| kind.bits(self.data_model)),
        }
    }

    pub fn pointer_bytes(&self) -> u64 {
        match self.data_model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// True if the type, or for arrays an element at any depth, has a length known only at run time.
    pub fn is_variable(&self, ty: TypeId) -> bool {
        match self[ty] {
            Type::Array { length: ArrayLength::Variable(_), .. } => true,
            Type::Array { element, .. } => self.is_variable(element.ty),
            _ => false,
        }
    }

    /// As [`Types::is_variable`], but also below pointers and function results.
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        match &self[ty] {
            Type::Array { length: ArrayLength::Variable(_), .. } => true,
            Type::Array { element, .. } => self.is_variably_modified(element.ty),
            Type::Pointer(target) => self.is_variably_modified(target.ty),
            Type::Function(function) => self.is_variably_modified(function.result.ty),
            _ => false,
        }
    }

    /// Qualifiers of an array are those of its elements.
    pub fn qualify(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::NONE {
            return ty;
        }
        match self[ty.ty] {
            Type::Array { element, length } => {
                let element = self.qualify(element, quals);
                QualType { ty: self.intern(Type::Array { element, length }), quals: ty.quals }
            }
            _ => ty.with(quals),
        }
    }

    /// C's compatibility, with GCC's leniency: variable and unknown lengths agree with every length.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (&self[a], &self[b]) {
            (Type::Enum(_), Type::Int(kind)) => self.int_kind(a) == Some(*kind),
            (Type::Int(kind), Type::Enum(_)) => self.int_kind(b) == Some(*kind),
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible_qualified(*x, *y),
            (Type::Array { element: x, length: n }, Type::Array { element: y, length: m }) => {
                let lengths = match (n, m) {
                    (ArrayLength::Known(n), ArrayLength::Known(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible_qualified(*x, *y)
            }
            (Type::Function(x), Type::Function(y)) => self.compatible_functions(x, y),
            _ => false,
        }
    }

    pub fn compatible_qualified(&self, a: QualType, b: QualType) -> bool {
        a.quals.without(Quals::RESTRICT) == b.quals.without(Quals::RESTRICT) && self.compatible(a.ty, b.ty)
    }

    fn compatible_functions(&self, a: &FunctionType, b: &FunctionType) -> bool {
        if !self.compatible(a.result.ty, b.result.ty) {
            return false;
        }
        match (a.prototype, b.prototype) {
            (true, true) => {
                a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(x, y)| self.compatible_params(x.ty, y.ty))
            }
            _ => true,
        }
    }

    fn compatible_params(&self, a: TypeId, b: TypeId) -> bool {
        self.compatible(a, b) || self.transparent_member(a, b) || self.transparent_member(b, a)
    }

    fn transparent_member(&self, union: TypeId, member: TypeId) -> bool {
        let Some(body) = self.record_id(union).and_then(|id| self.records[id].body.as_ref()) else { return false };
        body.transparent && body.fields.iter().any(|field| self.compatible(field.ty.ty, member))
    }

    /// The type two compatible declarations have together: known lengths and prototypes win.
    pub fn composite(&mut self, a: QualType, b: QualType) -> QualType {
        if a.ty == b.ty {
            return a;
        }
        match (self[a.ty].clone(), self[b.ty].clone()) {
            (Type::Array { element: x, length: n }, Type::Array { element: y, length: m }) => {
                let element = self.composite(x, y);
                let length = if n == ArrayLength::Unknown { m } else { n };
                QualType { ty: self.intern(Type::Array { element, length }), quals: a.quals }
            }
            (Type::Function(x), Type::Function(y)) => QualType { ty: self.composite_function(*x, *y), quals: a.quals },
            (Type::Pointer(x), Type::Pointer(y)) => {
                let target = self.composite(x, y);
                QualType { ty: self.pointer_to(target), quals: a.quals }
            }
            _ => a,
        }
    }

    fn composite_function(&mut self, a: FunctionType, b: FunctionType) -> TypeId {
        let result = self.composite(a.result, b.result);
        let merged = match (a.prototype, b.prototype) {
            (true, true) => {
                let params = a.params.iter().zip(&b.params).map(|(&x, &y)| self.composite(x, y)).collect();
                FunctionType { result, params, ..a }
            }
            (true, false) => FunctionType { result, ..a },
            (false, true) => FunctionType { result, ..b },
            // Of two old-style declarations the one that knows its parameters is the definition.
            (false, false) if a.params.is_empty() => FunctionType { result, ..b },
            (false, false) => FunctionType { result, ..a },
        };
        self.intern(Type::Function(Box::new(merged)))
    }
}

//! C types as the program model's: scalars by width, objects with layout.

use base::Interner;
use c_front::typed::Size;
use c_front::types::{self as c, ArrayLength, DataModel, FloatKind as CFloat, IntKind, RecordKind};
use c_front::types_print::print_plain;
use program::{Field, FloatKind, Machine, Scalar, Type, TypeId};
use rustc_hash::FxHashMap;

/// Up to how many elements of an array are handled one by one, and not by a loop.
pub const LISTED: u64 = 8;

/// Translates types, each once.
pub struct TypeLowerer<'u> {
    pub c: &'u c::Types,
    names: &'u Interner,
    pub types: program::Types,
    known: FxHashMap<c::TypeId, TypeId>,
}

/// What the parts of a scalar or record are when it is copied or cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    Scalar {
        offset: u64,
        ty: Scalar,
        bits: Option<program::Bits>,
    },
    /// Too many to list: `count` elements, `stride` bytes apart.
    Array {
        offset: u64,
        count: u64,
        stride: u64,
        element: c::TypeId,
    },
}

impl<'u> TypeLowerer<'u> {
    pub fn new(c: &'u c::Types, names: &'u Interner) -> Self {
        TypeLowerer { c, names, types: program::Types::default(), known: FxHashMap::default() }
    }

    pub fn machine(&self) -> Machine {
        Machine { pointer_bits: if self.c.data_model == DataModel::Lp64 { 64 } else { 32 } }
    }

    pub fn pointer(&self) -> Scalar {
        Scalar::Pointer(self.machine().pointer_bits / 8)
    }

    pub fn word(&self) -> Scalar {
        self.machine().word()
    }

    /// `None` for `void`, arrays, functions and records.
    pub fn scalar(&self, ty: c::TypeId) -> Option<Scalar> {
        Some(match &self.c[ty] {
            c::Type::Bool => Scalar::Int(8),
            c::Type::Int(kind) => Scalar::Int(self.int_bits(*kind)),
            c::Type::Float(kind) => Scalar::Float(self.float(*kind)),
            c::Type::Enum(id) => Scalar::Int(self.int_bits(self.c.enums[*id].underlying.unwrap_or(IntKind::UInt))),
            c::Type::Pointer(_) => self.pointer(),
            c::Type::Void | c::Type::Array { .. } | c::Type::Function(_) | c::Type::Record(_) => return None,
        })
    }

    pub fn is_signed(&self, ty: c::TypeId) -> bool {
        match &self.c[ty] {
            c::Type::Int(kind) => is_signed(*kind),
            c::Type::Enum(id) => self.c.enums[*id].underlying.is_some_and(is_signed),
            _ => false,
        }
    }

    pub fn is_bool(&self, ty: c::TypeId) -> bool {
        self.c[ty] == c::Type::Bool
    }

    pub fn is_record(&self, ty: c::TypeId) -> bool {
        matches!(self.c[ty], c::Type::Record(_))
    }

    pub fn is_void(&self, ty: c::TypeId) -> bool {
        self.c[ty] == c::Type::Void
    }

    fn int_bits(&self, kind: IntKind) -> u8 {
        match kind {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => self.machine().pointer_bits,
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    fn float(&self, kind: CFloat) -> FloatKind {
        match (kind, self.c.data_model) {
            (CFloat::Float, _) => FloatKind::F32,
            (CFloat::Double, _) => FloatKind::F64,
            (CFloat::LongDouble, DataModel::Lp64) => FloatKind::X87In16,
            (CFloat::LongDouble, DataModel::Ilp32) => FloatKind::X87In12,
            (CFloat::Float128, _) => FloatKind::F128,
        }
    }

    /// The type as the program model has it. A variable-length array is bytes of unknown number.
    pub fn lower(&mut self, ty: c::TypeId) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let lowered = match self.c[ty].clone() {
            c::Type::Array { element, length: ArrayLength::Known(length) } => {
                Type::Array { element: self.lower(element.ty), length }
            }
            c::Type::Array { .. } | c::Type::Void | c::Type::Function(_) => Type::Bytes { size: 0, align: 1 },
            c::Type::Record(id) => self.record(id),
            _ => Type::Scalar {
                scalar: self.scalar(ty).expect("what is left are scalars"),
                signed: self.is_signed(ty),
                name: print_plain(self.c, self.names, ty).into(),
            },
        };
        let id = self.types.intern(lowered);
        self.known.insert(ty, id);
        id
    }

    fn record(&mut self, id: c::RecordId) -> Type {
        let record = &self.c.records[id];
        let keyword = if record.kind == RecordKind::Struct { "struct" } else { "union" };
        let tag = record.tag.map_or("<anonymous>", |tag| self.names.resolve(tag));
        let name = format!("{keyword} {tag}").into();
        let Some(body) = &record.body else { return Type::Record { name, fields: vec![], size: 0, align: 1 } };
        let fields = body
            .fields
            .iter()
            .map(|f| Field {
                name: f.name.map_or("", |n| self.names.resolve(n)).into(),
                ty: self.lower(f.ty.ty),
                offset: f.offset,
                bits: f.bits.map(|b| (b.start, b.width)),
            })
            .collect();
        Type::Record { name, fields, size: body.size, align: body.align }
    }

    pub fn int_type(&mut self, bits: u8, signed: bool) -> TypeId {
        let name = format!("{}{bits}", if signed { "i" } else { "u" }).into();
        self.types.intern(Type::Scalar { scalar: Scalar::Int(bits), signed, name })
    }

    /// The type of a temporary.
    pub fn of_scalar(&mut self, scalar: Scalar) -> TypeId {
        let name = match scalar {
            Scalar::Int(bits) => format!("i{bits}"),
            Scalar::Float(_) => format!("f{}", scalar.bits()),
            Scalar::Pointer(_) => "pointer".to_owned(),
        };
        self.types.intern(Type::Scalar { scalar, signed: matches!(scalar, Scalar::Int(2..)), name: name.into() })
    }

    /// Size in bytes; zero for incomplete and variable-length types.
    pub fn size(&self, ty: c::TypeId) -> u64 {
        self.c.size_of(ty).unwrap_or(0)
    }

    /// The size of an array type of variable length; `None` for others.
    pub fn variable_size(&self, ty: c::TypeId) -> Option<Size> {
        let c::Type::Array { element, length } = &self.c[ty] else { return None };
        let inner = self.variable_size(element.ty);
        if inner.is_none() && !matches!(length, ArrayLength::Variable(_)) {
            return None;
        }
        let mut size = inner.unwrap_or_else(|| Size { bytes: self.size(element.ty), times: Vec::new() });
        match length {
            ArrayLength::Known(count) => size.bytes = size.bytes.saturating_mul(*count),
            ArrayLength::Variable(vla) => size.times.push(*vla),
            ArrayLength::Unknown => {}
        }
        Some(size)
    }

    /// The memory location that a bit-field belongs to: the run of adjacent bit-fields around it.
    pub fn bits(&self, record: c::RecordId, field: u32) -> Option<program::Bits> {
        let body = self.c.records[record].body.as_ref()?;
        let at = field as usize;
        let range = body.fields[at].bits?;
        let is_bits = |f: &c::Field| f.bits.is_some_and(|b| b.width > 0);
        let (mut first, mut last) = (at, at);
        if self.c.records[record].kind == RecordKind::Struct {
            while first > 0 && is_bits(&body.fields[first - 1]) {
                first -= 1;
            }
            while last + 1 < body.fields.len() && is_bits(&body.fields[last + 1]) {
                last += 1;
            }
        }
        let end = |f: &c::Field| f.offset + f.bits.map_or(0, |b| u64::from(b.start + b.width).div_ceil(8));
        let start = body.fields[first].offset;
        Some(program::Bits {
            start: range.start,
            before: (body.fields[at].offset - start) as u32,
            length: (end(&body.fields[last]) - start) as u32,
        })
    }

    /// The scalars that make up an object of this type, in order; long arrays as such.
    pub fn leaves(&self, ty: c::TypeId) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(ty, 0, &mut leaves);
        leaves
    }

    fn collect_leaves(&self, ty: c::TypeId, offset: u64, leaves: &mut Vec<Leaf>) {
        if let Some(scalar) = self.scalar(ty) {
            leaves.push(Leaf::Scalar { offset, ty: scalar, bits: None });
            return;
        }
        match &self.c[ty] {
            c::Type::Array { element, length: ArrayLength::Known(count) } => {
                let stride = self.size(element.ty);
                // What is within short arrays adds up: no more than some dozens of scalars are listed one by one.
                if *count > LISTED || leaves.len() > 64 && *count > 1 {
                    leaves.push(Leaf::Array { offset, count: *count, stride, element: element.ty });
                } else {
                    (0..*count).for_each(|i| self.collect_leaves(element.ty, offset + i * stride, leaves));
                }
            }
            c::Type::Record(id) => self.collect_record_leaves(*id, offset, leaves),
            _ => {}
        }
    }

    fn collect_record_leaves(&self, id: c::RecordId, offset: u64, leaves: &mut Vec<Leaf>) {
        let Some(body) = &self.c.records[id].body else { return };
        if self.c.records[id].kind == RecordKind::Union {
            return self.collect_union_leaves(body, offset, leaves);
        }
        for (i, field) in body.fields.iter().enumerate() {
            match field.bits {
                Some(range) if range.width > 0 && field.name.is_some() => leaves.push(Leaf::Scalar {
                    offset: offset + field.offset,
                    ty: Scalar::Int(range.width),
                    bits: self.bits(id, i as u32),
                }),
                Some(_) => {}
                None => self.collect_leaves(field.ty.ty, offset + field.offset, leaves),
            }
        }
    }

    pub fn union_leaves(&self, body: &c::RecordBody, offset: u64) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_union_leaves(body, offset, &mut leaves);
        leaves
    }

    pub fn name_of(&self, symbol: base::Symbol) -> &str {
        self.names.resolve(symbol)
    }

    /// A union is copied in the largest pieces its alignment allows, as pointers where a member has one there.
    fn collect_union_leaves(&self, body: &c::RecordBody, offset: u64, leaves: &mut Vec<Leaf>) {
        let is_whole_array =
            |f: &&c::Field| self.size(f.ty.ty) == body.size && matches!(self.c[f.ty.ty], c::Type::Array { .. });
        if body.size > 256
            && let Some(array) = body.fields.iter().find(is_whole_array)
        {
            return self.collect_leaves(array.ty.ty, offset, leaves);
        }
        let mut at = 0;
        while at < body.size {
            let mut piece = body.align.clamp(1, 8);
            while piece > body.size - at {
                piece /= 2;
            }
            let is_pointer = piece == self.machine().pointer_bytes()
                && body.fields.iter().any(|f| self.has_pointer_at(f.ty.ty, f.offset, at));
            let ty = if is_pointer { self.pointer() } else { Scalar::Int(piece as u8 * 8) };
            leaves.push(Leaf::Scalar { offset: offset + at, ty, bits: None });
            at += piece;
        }
    }

    fn has_pointer_at(&self, ty: c::TypeId, offset: u64, at: u64) -> bool {
        if at < offset || at >= offset + self.size(ty) {
            return false;
        }
        match &self.c[ty] {
            c::Type::Pointer(_) => at == offset,
            c::Type::Array { element, .. } => {
                let stride = self.size(element.ty).max(1);
                self.has_pointer_at(element.ty, offset + (at - offset) / stride * stride, at)
            }
            c::Type::Record(id) => {
                let fields = self.c.records[*id].body.as_ref().map_or(&[][..], |b| &b.fields);
                fields.iter().any(|f| self.has_pointer_at(f.ty.ty, offset + f.offset, at))
            }
            _ => false,
        }
    }
}

fn is_signed(kind: IntKind) -> bool {
    use IntKind::*;
    matches!(kind, Char | SChar | Short | Int | Long | LongLong | Int128)
}

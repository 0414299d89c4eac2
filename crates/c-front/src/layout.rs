//! Sizes, alignments and the layout of records as GCC for x86 has them, for both data models.
//!
//! Record layout follows GCC's `stor-layout.c` (`layout_decl`, `update_alignment_for_field`, `place_field`) with
//! `PCC_BITFIELD_TYPE_MATTERS`; the names of its steps are kept so that the two can be read side by side.

use crate::types::{
    ArrayLength, BitRange, DataModel, Field, FloatKind, QualType, Quals, RecordKind, Type, TypeId, Types,
};
use base::{Span, Symbol};

/// GCC's `BIGGEST_ALIGNMENT` without vector extensions, in bytes.
pub const BIGGEST_ALIGNMENT: u64 = 16;

/// Alignment of a type as the compiler keeps it (`TYPE_ALIGN`), in bytes, and whether an attribute asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alignment {
    pub bytes: u64,
    pub user: bool,
}

/// A member as declared, before it has a place.
#[derive(Clone, Debug)]
pub struct FieldInput {
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// From a typedef with an `aligned` attribute.
    pub type_align: Option<u64>,
    /// From `aligned` or `_Alignas` on the member itself.
    pub aligned: Option<u64>,
    pub packed: bool,
    pub bits: Option<u8>,
    pub span: Span,
}

/// Attributes and pragmas of a whole record.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions {
    pub packed: bool,
    pub aligned: Option<u64>,
    /// `#pragma pack(n)`, in bytes.
    pub pack: Option<u64>,
}

/// Where the members of a record ended up.
#[derive(Debug)]
pub struct Layout {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub user_align: bool,
}

impl Types {
    /// Size in bytes; `None` for incomplete, variable and function types. `void` has GNU's size 1.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        match &self[ty] {
            Type::Void | Type::Bool => Some(1),
            Type::Int(kind) => Some(u64::from(kind.bits(self.data_model) / 8)),
            Type::Float(kind) => Some(self.float_bytes(*kind)),
            Type::Enum(id) => self.enums[*id].underlying.map(|kind| u64::from(kind.bits(self.data_model) / 8)),
            Type::Pointer(_) => Some(self.pointer_bytes()),
            Type::Array { element, length: ArrayLength::Known(n) } => self.size_of(element.ty)?.checked_mul(*n),
            Type::Array { .. } | Type::Function(_) => None,
            Type::Record(id) => self.records[*id].body.as_ref().map(|body| body.size),
        }
    }

    /// True if objects of the type can be declared: everything but `void`, functions, `[]` and records without a body.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match &self[ty] {
            Type::Void | Type::Function(_) | Type::Array { length: ArrayLength::Unknown, .. } => false,
            Type::Array { element, .. } => self.is_complete(element.ty),
            Type::Record(id) => self.records[*id].body.is_some(),
            Type::Enum(id) => self.enums[*id].underlying.is_some(),
            _ => true,
        }
    }

    fn float_bytes(&self, kind: FloatKind) -> u64 {
        match kind {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble => match self.data_model {
                DataModel::Lp64 => 16,
                DataModel::Ilp32 => 12,
            },
            FloatKind::Float128 => 16,
        }
    }

    /// `TYPE_ALIGN`: on ILP32 a `double` alone has 8 here, see [`Types::align_of`] for the other half of the rule.
    pub fn type_align(&self, ty: QualType) -> Alignment {
        let own = self.unqualified_align(ty.ty);
        if !ty.quals.contains(Quals::ATOMIC) {
            return own;
        }
        // An atomic object that fits a machine word is aligned like one.
        let word = self.size_of(ty.ty).filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16)).unwrap_or(1);
        Alignment { bytes: own.bytes.max(word), ..own }
    }

    fn unqualified_align(&self, ty: TypeId) -> Alignment {
        let natural = |bytes| Alignment { bytes, user: false };
        match &self[ty] {
            Type::Void | Type::Bool | Type::Function(_) => natural(1),
            Type::Int(kind) => natural(u64::from(kind.bits(self.data_model) / 8)),
            Type::Float(FloatKind::LongDouble) if self.data_model == DataModel::Ilp32 => natural(4),
            Type::Float(kind) => natural(self.float_bytes(*kind)),
            Type::Enum(_) => natural(self.size_of(ty).unwrap_or(4)),
            Type::Pointer(_) => natural(self.pointer_bytes()),
            Type::Array { element, .. } => self.type_align(*element),
            Type::Record(id) => match &self.records[*id].body {
                Some(body) => Alignment { bytes: body.align, user: body.user_align },
                None => natural(1),
            },
        }
    }

    /// `ADJUST_FIELD_ALIGN`: on i386 integers and doubles inside records need no more than 4 bytes.
    fn adjust_field_align(&self, ty: QualType, computed: u64) -> u64 {
        if self.data_model == DataModel::Lp64 || computed <= 4 {
            return computed;
        }
        let mut inner = ty;
        while let Type::Array { element, .. } = self[inner.ty] {
            inner = element;
        }
        if inner.is_atomic() {
            return computed;
        }
        match &self[inner.ty] {
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) | Type::Float(FloatKind::Double) => 4,
            // A record of eight bytes is handled like an integer.
            Type::Record(_) if self.size_of(inner.ty) == Some(8) && self.has_machine_mode(inner.ty) => 4,
            _ => computed,
        }
    }

    /// Whether GCC handles values of the type in a register (its mode is not `BLKmode`).
    fn has_machine_mode(&self, ty: TypeId) -> bool {
        match &self[ty] {
            Type::Array { element, length: ArrayLength::Known(count) } => {
                let size = self.size_of(ty);
                self.has_machine_mode(element.ty) && (*count == 1 || matches!(size, Some(1 | 2 | 4 | 8)))
            }
            Type::Array { .. } | Type::Function(_) | Type::Void => false,
            Type::Record(id) => {
                let Some(body) = &self.records[*id].body else { return false };
                let fits = |field: &Field| {
                    field.bits.is_some() || self.size_of(field.ty.ty) == Some(0) || self.has_machine_mode(field.ty.ty)
                };
                let filled = || body.fields.iter().any(|field| self.size_of(field.ty.ty) == Some(body.size));
                body.fields.iter().all(fits) && (matches!(body.size, 1 | 2 | 4 | 8) || filled())
            }
            _ => true,
        }
    }

    /// What `_Alignof` gives: the alignment the type has as a member.
    pub fn align_of(&self, ty: QualType) -> u64 {
        let align = self.type_align(ty);
        if align.user { align.bytes } else { self.adjust_field_align(ty, align.bytes.min(BIGGEST_ALIGNMENT)) }
    }

    /// What `__alignof__` gives: the alignment the type prefers.
    pub fn preferred_align(&self, ty: QualType) -> u64 {
        self.type_align(ty).bytes
    }

    /// Lays a record out. `None` if it would be larger than the address space.
    pub fn lay_out(&self, kind: RecordKind, inputs: &[FieldInput], options: RecordOptions) -> Option<Layout> {
        let mut placer = Placer {
            types: self,
            kind,
            options,
            position: 0,
            align: options.aligned.unwrap_or(1).max(1) * 8,
            user_align: options.aligned.is_some(),
            union_bytes: 0,
        };
        let fields = inputs.iter().map(|input| placer.place(input)).collect::<Option<Vec<_>>>()?;
        let bytes = match kind {
            RecordKind::Struct => placer.position.div_ceil(8),
            RecordKind::Union => placer.union_bytes,
        };
        let align = placer.align / 8;
        let size = u64::try_from(bytes.next_multiple_of(u128::from(align))).ok().filter(|&size| size < 1 << 62)?;
        Some(Layout { fields, size, align, user_align: placer.user_align })
    }
}

/// The state of GCC's `record_layout_info`; positions and alignments in bits.
struct Placer<'t> {
    types: &'t Types,
    kind: RecordKind,
    options: RecordOptions,
    position: u128,
    align: u64,
    user_align: bool,
    union_bytes: u128,
}

/// What `layout_decl` finds out about one member; alignments in bits.
struct Decl {
    align: u64,
    user: bool,
    type_align: Alignment,
    packed: bool,
    /// Still needs bit-field treatment (`DECL_BIT_FIELD`).
    bit_field: bool,
    size: u128,
}

impl Placer<'_> {
    fn place(&mut self, input: &FieldInput) -> Option<Field> {
        let known = match self.kind {
            RecordKind::Struct => lowest_bit(self.position),
            RecordKind::Union => 0,
        };
        let decl = self.layout_decl(input, known)?;
        self.update_alignment(input, &decl);
        if self.kind == RecordKind::Union {
            self.union_bytes = self.union_bytes.max(decl.size.div_ceil(8));
            return Some(field_at(input, 0));
        }
        let known = if known == 0 { u64::MAX } else { known };
        if known < decl.align {
            self.position = self.position.next_multiple_of(u128::from(decl.align));
        }
        self.avoid_straddling(input, &decl);
        let field = field_at(input, self.position);
        self.position = self.position.checked_add(decl.size)?;
        Some(field)
    }

    fn layout_decl(&self, input: &FieldInput, known: u64) -> Option<Decl> {
        let types = self.types;
        let type_align = match input.type_align {
            Some(bytes) => Alignment { bytes, user: true },
            None => types.type_align(input.ty),
        };
        let type_bits = type_align.bytes * 8;
        let packed = (input.packed || self.options.packed) && (input.bits.is_some() || type_bits > 8);
        let size = match input.bits {
            Some(width) => u128::from(width),
            None => u128::from(self.member_bytes(input.ty.ty)?) * 8,
        };
        let explicit = input.aligned.is_some();
        let mut decl = Decl {
            align: input.aligned.map_or(1, |bytes| bytes * 8),
            user: explicit,
            type_align,
            packed,
            bit_field: input.bits.is_some(),
            size,
        };
        let zero_width = input.bits == Some(0);
        let packed_here = packed && !zero_width;
        if zero_width || (input.bits.is_none() && !(packed && explicit)) {
            raise_to_type(&mut decl);
        } else if let Some(width @ (8 | 16 | 32 | 64 | 128)) = input.bits {
            let mode = u64::from(width);
            let exists = mode <= types.pointer_bytes() * 16;
            if exists && !(mode > 8 && packed) && (known == 0 || known >= mode) {
                decl.align = decl.align.max(mode);
                decl.bit_field = false;
            }
        }
        if packed_here && !explicit {
            decl.align = decl.align.min(8);
        }
        if !packed_here && !decl.user {
            decl.align =
                types.adjust_field_align(input.ty, decl.align.div_ceil(8)) * if decl.align < 8 { 1 } else { 8 };
        }
        if let (Some(pack), false) = (self.options.pack, zero_width) {
            decl.align = decl.align.min(pack * 8);
        }
        Some(decl)
    }

    /// A flexible array member takes no room.
    fn member_bytes(&self, ty: TypeId) -> Option<u64> {
        match self.types[ty] {
            Type::Array { length: ArrayLength::Unknown, .. } => Some(0),
            _ => self.types.size_of(ty),
        }
    }

    fn update_alignment(&mut self, input: &FieldInput, decl: &Decl) {
        if input.bits.is_none() {
            self.align = self.align.max(decl.align);
            self.user_align |= decl.user;
            return;
        }
        // Only named bit-fields align the record like their type.
        if input.name.is_none() {
            self.user_align |= decl.user;
            return;
        }
        let mut type_bits = decl.type_align.bytes * 8;
        if !decl.type_align.user {
            type_bits = self.types.adjust_field_align(input.ty, decl.type_align.bytes) * 8;
        }
        if let Some(pack) = self.options.pack {
            type_bits = type_bits.min(pack * 8);
        } else if decl.packed {
            type_bits = type_bits.min(8);
        }
        self.align = self.align.max(decl.align).max(type_bits);
        self.user_align |= decl.user || decl.type_align.user;
    }

    /// A bit-field may not span more units of its type's alignment than its type itself does.
    fn avoid_straddling(&mut self, input: &FieldInput, decl: &Decl) {
        let Some(width) = input.bits else { return };
        let type_bits = decl.type_align.bytes * 8;
        if width == 0 || !decl.bit_field || self.options.pack.is_some() || decl.packed {
            return;
        }
        let align = if decl.type_align.user {
            type_bits
        } else {
            self.types.adjust_field_align(input.ty, decl.type_align.bytes) * 8
        };
        let size = self.types.size_of(input.ty.ty).unwrap_or(4) * 8;
        let offset = (self.position % u128::from(align)) as u64;
        if (offset + u64::from(width)).div_ceil(align) > size / align {
            self.position = self.position.next_multiple_of(u128::from(align));
        }
    }
}

/// `do_type_align`: the member inherits its type's alignment where that is larger.
fn raise_to_type(decl: &mut Decl) {
    if decl.type_align.bytes * 8 > decl.align {
        decl.align = decl.type_align.bytes * 8;
        decl.user = decl.type_align.user;
    }
}

fn lowest_bit(position: u128) -> u64 {
    if position == 0 { 0 } else { 1 << position.trailing_zeros().min(62) }
}

fn field_at(input: &FieldInput, position: u128) -> Field {
    let bits = input.bits.map(|width| BitRange { start: (position % 8) as u8, width });
    let offset = (position / 8) as u64;
    Field { name: input.name, ty: input.ty, offset, bits, span: input.span }
}

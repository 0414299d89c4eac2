//! Types, interned: equal structure, equal id. Records and enums are named by identity, as in C.

use base::{IndexVec, Span, Symbol, index_type};
use rustc_hash::FxHashMap;

pub use base::float::FloatKind;

pub use crate::ast::{Quals, RecordKind};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    #[default]
    Lp64,
    Ilp32,
}

index_type! {
    pub struct TypeId = "t";
    pub struct RecordId = "r";
    pub struct EnumId = "e";
    /// Names the size expression of a variable-length array type within its function.
    pub struct VlaId = "vla";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Enum(EnumId),
    Pointer(QualType),
    Array { element: QualType, length: ArrayLength },
    Function(Box<FunctionType>),
    Record(RecordId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    Known(u64),
    /// `[]`: incomplete, or the flexible last member of a record.
    Unknown,
    /// Known when control passes the declaration; see `typed::Function::vlas`.
    Variable(VlaId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub result: QualType,
    /// After adjustment: no arrays, no functions.
    pub params: Vec<QualType>,
    pub variadic: bool,
    /// False for `f()`: nothing is known of the parameters.
    pub prototype: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub span: Span,
    /// `None` while incomplete.
    pub body: Option<RecordBody>,
}

#[derive(Clone, Debug)]
pub struct RecordBody {
    pub fields: Vec<Field>,
    /// In bytes.
    pub size: u64,
    pub align: u64,
    /// The alignment was asked for by an attribute, here or in a member: a containing record honours it in full.
    pub user_align: bool,
    /// An argument may have the type of any member (`__attribute__((transparent_union))`).
    pub transparent: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous struct or union members and unnamed bit-fields.
    pub name: Option<Symbol>,
    pub ty: QualType,
    /// In bytes from the start of the record. For a bit-field, of the first byte that holds one of its bits.
    pub offset: u64,
    pub bits: Option<BitRange>,
    pub span: Span,
}

/// A bit-field: `width` bits, the lowest being bit `start` counted from the field's byte offset. `start < 8`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    pub start: u8,
    pub width: u8,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The integer type it is compatible with; `None` while incomplete.
    pub underlying: Option<IntKind>,
    pub enumerators: Vec<(Symbol, i128)>,
}

/// All types of a program, of all its files.
#[derive(Debug)]
pub struct Types {
    pub data_model: DataModel,
    types: IndexVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: IndexVec<RecordId, Record>,
    pub enums: IndexVec<EnumId, Enum>,
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
}

impl QualType {
    pub fn plain(ty: TypeId) -> QualType {
        QualType { ty, quals: Quals::NONE }
    }
    pub fn unqualified(self) -> QualType {
        QualType::plain(self.ty)
    }
    pub fn with(self, quals: Quals) -> QualType {
        QualType { ty: self.ty, quals: self.quals.with(quals) }
    }
    pub fn is_atomic(self) -> bool {
        self.quals.contains(Quals::ATOMIC)
    }
}

impl Types {
    pub fn new(data_model: DataModel) -> Types {
        Types {
            data_model,
            types: IndexVec::new(),
            ids: FxHashMap::default(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
        }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn pointer_to(&mut self, target: QualType) -> TypeId {
        self.intern(Type::Pointer(target))
    }
}

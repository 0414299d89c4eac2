//! Types of objects, with layout: what memory models, points-to analyses and printers of values need, and no more.

use base::{IndexVec, index_type};
use rustc_hash::FxHashMap;

use crate::Scalar;

index_type! {
    pub struct TypeId = "t";
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `name` is how C calls it; `signed` says how to print an integer.
    Scalar {
        scalar: Scalar,
        signed: bool,
        name: Box<str>,
    },
    Array {
        element: TypeId,
        length: u64,
    },
    /// Fields in order; those of a union overlap. Recursion goes through pointers, which are opaque scalars.
    Record {
        name: Box<str>,
        fields: Vec<Field>,
        size: u64,
        align: u64,
    },
    /// Bytes of which nothing more is known: `void`, a function, a heap block, an array of variable length.
    Bytes {
        size: u64,
        align: u64,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub name: Box<str>,
    pub ty: TypeId,
    /// In bytes.
    pub offset: u64,
    /// A bit-field: first bit counted from `offset`, and width.
    pub bits: Option<(u8, u8)>,
}

/// Interned types.
#[derive(Debug, Default)]
pub struct Types {
    types: IndexVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;
    fn index(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
}

impl Types {
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// In bytes.
    pub fn size(&self, id: TypeId) -> u64 {
        match &self[id] {
            Type::Scalar { scalar, .. } => scalar.bytes(),
            Type::Array { element, length } => self.size(*element).saturating_mul(*length),
            Type::Record { size, .. } | Type::Bytes { size, .. } => *size,
        }
    }

    pub fn scalar(&self, id: TypeId) -> Option<Scalar> {
        match self[id] {
            Type::Scalar { scalar, .. } => Some(scalar),
            _ => None,
        }
    }

    pub fn len(&self) -> usize {
        self.types.len()
    }

    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}

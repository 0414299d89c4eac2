//! Places: what can be read and written, as plain locals or as accesses to memory.

use c_front::typed::{Place, PlaceKind, Size};
use c_front::types::{self as c, QualType};
use program::{Access, BinaryOp, ExprId, ExprKind, LocalId, Op, Order, Scalar};

use crate::fold::Fold;
use crate::function::{FunctionLowerer, Slot};
use crate::types::Leaf;

/// A scalar place.
#[derive(Clone)]
pub enum Target {
    Plain(LocalId),
    Memory(Access),
}

impl FunctionLowerer<'_, '_> {
    /// The place of a scalar, ready to be read or written; its address is evaluated.
    pub fn target(&mut self, place: &Place) -> Target {
        if let PlaceKind::Local(local) = place.kind
            && let Slot::Plain(plain) = self.slot(local)
        {
            return Target::Plain(plain);
        }
        let order = if place.ty.is_atomic() { Order::Atomic } else { Order::Plain };
        let address = self.address(place);
        let bits = self.bit_field(place);
        let ty = match bits {
            Some((width, _)) => Scalar::Int(width),
            None => self.unit.types.scalar(place.ty.ty).unwrap_or(Scalar::Int(8)),
        };
        Target::Memory(Access { address, ty, bits: bits.map(|(_, bits)| Box::new(bits)), order })
    }

    fn bit_field(&self, place: &Place) -> Option<(u8, program::Bits)> {
        let PlaceKind::Field { record, field, .. } = place.kind else { return None };
        let range = self.unit.types.c.records[record].body.as_ref()?.fields[field as usize].bits?;
        Some((range.width, self.unit.types.bits(record, field)?))
    }

    /// The address of a place in memory.
    pub fn address(&mut self, place: &Place) -> ExprId {
        let pointer = self.pointer();
        match &place.kind {
            PlaceKind::Object(object) => {
                let global = self.unit.global(*object);
                self.b.expr(ExprKind::GlobalAddress(global), pointer)
            }
            PlaceKind::String(string) => {
                let global = self.unit.string(*string);
                self.b.expr(ExprKind::GlobalAddress(global), pointer)
            }
            PlaceKind::Local(local) => match self.slot(*local) {
                Slot::Memory(local) => self.local_address(local),
                Slot::Behind(local) => self.b.local(local),
                Slot::Plain(_) => unreachable!("a local whose address is used lives in memory"),
            },
            PlaceKind::Deref(pointer) => self.value(pointer),
            PlaceKind::Field { base, record, field } => {
                let address = self.address(base);
                let body = self.unit.types.c.records[*record].body.as_ref();
                let offset = body.map_or(0, |b| b.fields[*field as usize].offset);
                self.offset(address, offset as i64)
            }
            PlaceKind::Compound(local, init) => self.compound_literal(*local, init),
            PlaceKind::Temporary(value) => self.record_value(value),
        }
    }

    pub fn read(&mut self, target: &Target, ty: c::TypeId) -> ExprId {
        match target {
            Target::Plain(local) => self.b.local(*local),
            Target::Memory(access) => {
                let value = self.load(access.clone());
                self.widen_bits(access, value, ty)
            }
        }
    }

    /// A bit-field's value as its declared type.
    pub fn widen_bits(&mut self, access: &Access, value: ExprId, ty: c::TypeId) -> ExprId {
        match self.unit.types.scalar(ty) {
            Some(Scalar::Int(bits)) if access.bits.is_some() => {
                let signed = self.unit.types.is_signed(ty);
                self.b.resize(value, bits, signed)
            }
            _ => value,
        }
    }

    /// Stores a value of the place's type and returns what the place then holds.
    pub fn write(&mut self, target: &Target, value: ExprId, ty: c::TypeId) -> ExprId {
        match target {
            Target::Plain(local) => {
                self.emit(Op::Assign(*local, value));
                self.b.local(*local)
            }
            Target::Memory(access) => {
                let stored = self.narrow_bits(access, value);
                self.emit(Op::Store { to: access.clone(), value: stored });
                if access.bits.is_some() { self.widen_bits(access, stored, ty) } else { value }
            }
        }
    }

    pub fn narrow_bits(&mut self, access: &Access, value: ExprId) -> ExprId {
        match access.ty {
            Scalar::Int(bits) if access.bits.is_some() => self.b.resize(value, bits, false),
            _ => value,
        }
    }

    /// A size in bytes as a word.
    pub fn size(&mut self, size: &Size) -> ExprId {
        let word = self.word();
        let mut result = self.b.constant(word, u128::from(size.bytes));
        for vla in &size.times {
            // A length that control has not passed yet is never used in a program that C defines.
            let length = match self.vlas[*vla] {
                Some(local) => self.b.local(local),
                None => self.b.constant(word, 0),
            };
            result = self.b.binary(BinaryOp::Mul, result, length);
        }
        result
    }

    /// Copies an object scalar by scalar, each read and each write an edge of its own.
    pub fn copy(&mut self, to: ExprId, from: ExprId, ty: QualType) {
        let (to, from) = (self.stable(to), self.stable(from));
        for leaf in self.unit.types.leaves(ty.ty) {
            match leaf {
                Leaf::Scalar { offset, ty, bits } => self.full_expression(|f| {
                    let access = |address| Access { address, ty, bits: bits.map(Box::new), order: Order::Plain };
                    let source = f.offset(from, offset as i64);
                    let value = f.load(access(source));
                    let target = f.offset(to, offset as i64);
                    f.emit(Op::Store { to: access(target), value });
                }),
                Leaf::Array { offset, count, stride, element } => self.full_expression(|f| {
                    f.count_loop(count, |f, index| {
                        let source = f.element(from, offset, index, stride);
                        let target = f.element(to, offset, index, stride);
                        f.copy(target, source, QualType::plain(element));
                    });
                }),
            }
        }
    }

    /// `base + offset + index * stride`
    pub fn element(&mut self, base: ExprId, offset: u64, index: ExprId, stride: u64) -> ExprId {
        let word = self.word();
        let base = self.offset(base, offset as i64);
        let stride = self.b.constant(word, u128::from(stride));
        let scaled = self.b.binary(BinaryOp::Scale, index, stride);
        self.b.binary(BinaryOp::PtrAdd, base, scaled)
    }

    /// An address that stays the same while a loop or other edges run.
    fn stable(&mut self, address: ExprId) -> ExprId {
        match self.b.get(address).kind {
            ExprKind::GlobalAddress(_) | ExprKind::LocalAddress(_) | ExprKind::Local(_) => address,
            _ if self.reads_named_local(address) => self.save(address),
            _ => address,
        }
    }

    /// Stores zero in every scalar of an object.
    pub fn clear(&mut self, at: ExprId, ty: c::TypeId) {
        for leaf in self.unit.types.leaves(ty) {
            match leaf {
                Leaf::Scalar { offset, ty, bits } => {
                    let address = self.offset(at, offset as i64);
                    let value = self.b.constant(ty, 0);
                    let to = Access { address, ty, bits: bits.map(Box::new), order: Order::Plain };
                    self.emit(Op::Store { to, value });
                }
                Leaf::Array { offset, count, stride, element } => self.full_expression(|f| {
                    f.count_loop(count, |f, index| {
                        let address = f.element(at, offset, index, stride);
                        f.clear(address, element);
                    });
                }),
            }
        }
    }
}

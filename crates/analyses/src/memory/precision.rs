//! The precision: which numbers a state keeps. Others are havocked: every read may give any value of their type, so that
//! states which differ in nothing else are one. Pointers are always kept, and so is what lives within one expression.

use std::collections::BTreeSet;

use base::{Idx, IndexVec};
use por::Site;
use program::{
    Access, BinaryOp, ExprId, ExprKind, FunctionId, LocalId, LocalKind, Program, Scalar, Storage, Type, TypeId,
};
use semantics::{Base, Life, ObjectId, Pointer};

use super::contents::{Cell, Fill, Object};
use super::step::{Run, Transfer, TransferStop};
use super::value::Value;
use super::{Memory, MemoryState};

/// A place of which the precision says whether its numbers are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrackedPlace {
    /// A plain local.
    Local(FunctionId, LocalId),
    /// What lies at an offset of all objects made at a site; elements of an array are one place.
    Part(Site, u64),
}

/// The places whose numbers are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    pub places: BTreeSet<TrackedPlace>,
}

/// Blocks up to this size are taken for records, larger ones for arrays.
const LARGEST_RECORD: u64 = 64;
/// Larger objects keep their first contents.
const LARGEST: u64 = 4096;

impl TrackedPlace {
    /// The place at an offset of an object.
    pub fn in_object(program: &Program, site: Site, size: u64, offset: u64) -> TrackedPlace {
        let part = match type_of(program, site) {
            Some(ty) => first_element(program, ty, offset),
            None if size <= LARGEST_RECORD => offset,
            None => 0,
        };
        TrackedPlace::Part(site, part)
    }

    /// Could its numbers be left out?
    pub fn is_optional(self, program: &Program) -> bool {
        match self {
            TrackedPlace::Part(..) => true,
            TrackedPlace::Local(function, local) => {
                let function = &program.functions[function];
                let is_number = match function.locals[local].storage {
                    Storage::Plain(scalar) => !matches!(scalar, Scalar::Pointer(_)),
                    Storage::Memory => false,
                };
                // What a thread returns is null if it returns nothing: that differs from any value.
                is_number && function.locals[local].kind != LocalKind::Temporary && function.result != Some(local)
            }
        }
    }
}

impl Precision {
    /// No number in objects made at the site is kept.
    fn keeps_none(&self, site: Site) -> bool {
        self.places.range(TrackedPlace::Part(site, 0)..=TrackedPlace::Part(site, u64::MAX)).next().is_none()
    }

    /// The locals of each function whose numbers are not kept.
    pub(super) fn dropped_locals(&self, program: &Program) -> IndexVec<FunctionId, Box<[LocalId]>> {
        let of_function = |(id, function): (FunctionId, &program::Function)| {
            let place = |local: &LocalId| TrackedPlace::Local(id, *local);
            let dropped = function.locals.ids().filter(|l| place(l).is_optional(program));
            dropped.filter(|local| !self.places.contains(&place(local))).collect()
        };
        program.functions.iter_enumerated().map(of_function).collect()
    }
}

fn type_of(program: &Program, site: Site) -> Option<TypeId> {
    match site {
        Site::Global(global) | Site::ThreadLocal(global) => Some(program.globals[global].ty),
        Site::Local(function, local) => Some(program.functions[function].locals[local].ty),
        Site::Block(..) | Site::CommandLine | Site::Indeterminate { .. } => None,
    }
}

/// The offset of the first element in all arrays around what lies at an offset.
fn first_element(program: &Program, ty: TypeId, at: u64) -> u64 {
    match &program.types[ty] {
        Type::Scalar { .. } | Type::Bytes { .. } => 0,
        Type::Array { element, .. } => first_element(program, *element, at % program.types.size(*element).max(1)),
        Type::Record { fields, .. } => {
            let field = fields.iter().rev().find(|field| field.offset <= at);
            field.map_or(0, |field| field.offset + first_element(program, field.ty, at - field.offset))
        }
    }
}

fn has_pointer(program: &Program, ty: TypeId) -> bool {
    match &program.types[ty] {
        Type::Scalar { scalar, .. } => matches!(scalar, Scalar::Pointer(_)),
        Type::Array { element, .. } => has_pointer(program, *element),
        Type::Record { fields, .. } => fields.iter().any(|field| has_pointer(program, field.ty)),
        Type::Bytes { .. } => true,
    }
}

impl Memory<'_> {
    /// Are numbers kept at an offset of an object?
    pub(super) fn keeps(&self, site: Site, size: u64, offset: u64) -> bool {
        let Some(precision) = &self.options.tracked else { return true };
        precision.places.contains(&TrackedPlace::in_object(self.program, site, size, offset))
    }

    pub(super) fn keeps_in(&self, state: &MemoryState, object: ObjectId, offset: u64) -> bool {
        self.options.tracked.is_none()
            || self.find(state, object).is_none_or(|object| self.keeps(object.site, object.size, offset))
    }

    /// An object with its first contents, without numbers that are not kept.
    pub(super) fn with_kept(&self, ty: TypeId, mut object: Object) -> Object {
        let Some(precision) = &self.options.tracked else { return object };
        if precision.keeps_none(object.site) && !has_pointer(self.program, ty) {
            object.fill = Fill::Undefined;
            object.cells = Vec::new();
            return object;
        }
        if object.size > LARGEST {
            return object;
        }
        let mut scalars = Vec::new();
        super::scalars_of(self.program, ty, 0, object.size, &mut scalars);
        let is_dropped = |at: u64| {
            let scalar = super::pointers::scalar_at(self.program, ty, at);
            scalar.is_some_and(|s| !matches!(s, Scalar::Pointer(_))) && !self.keeps(object.site, object.size, at)
        };
        scalars.retain(|(at, _)| is_dropped(*at));
        for (at, length) in scalars {
            object.drop_number(at as u32, length as u8);
        }
        object
    }
}

impl Object {
    /// What is known of a number, if nothing else lies there.
    fn drop_number(&mut self, at: u32, length: u8) {
        let end = at + u32::from(length);
        let overlaps = |cell: &Cell| cell.at < end && at < cell.at + u32::from(cell.length);
        let is_whole = |cell: &Cell| cell.at == at && cell.length == length && matches!(cell.value, Value::Bits(_));
        if self.cells.iter().any(|cell| overlaps(cell) && !is_whole(cell)) {
            return;
        }
        self.cells.retain(|cell| !overlaps(cell));
        if self.fill != Fill::Undefined {
            let place = self.cells.partition_point(|cell| cell.at < at);
            self.cells.insert(place, Cell { at, length, value: Value::Undefined });
        }
    }
}

impl Transfer<'_, '_, '_> {
    /// Is a number accessed somewhere in an object of which nothing is known or kept? Then it does not matter where, as long as it
    /// is inside.
    pub(super) fn is_somewhere(&mut self, access: &Access) -> Run<bool> {
        if self.memory.options.tracked.is_none() || matches!(access.ty, Scalar::Pointer(_)) {
            return Ok(false);
        }
        let Some(id) = self.object_around(access.address)? else { return Ok(false) };
        let is_unknown = self.memory.find(&self.state, id).is_some_and(|object| {
            let is_blank = object.fill == Fill::Undefined && object.values().all(|value| value == Value::Undefined);
            let may_write = object.life == Life::Live && !object.read_only;
            is_blank && may_write && self.memory.options.tracked.as_ref().is_some_and(|p| p.keeps_none(object.site))
        });
        Ok(is_unknown)
    }

    /// The object that an address is in whose offset is not known.
    fn object_around(&mut self, address: ExprId) -> Run<Option<ObjectId>> {
        let function = self.memory.function(self.step.function);
        let ExprKind::Binary(BinaryOp::PtrAdd, base, offset) = function.exprs[address].kind else { return Ok(None) };
        // Computing the offset may go wrong, too.
        self.value(offset)?;
        match self.value(base) {
            Ok(Value::Pointer(Pointer { base: Base::Object(id), .. })) => Ok(Some(id)),
            Err(TransferStop::Split(_)) => self.object_around(base),
            other => other.map(|_| None),
        }
    }

    pub(super) fn is_number(&self, value: Value) -> bool {
        match self.state.symbols.value(value) {
            Value::Bits(_) => true,
            Value::Unknown(symbol) => !self.state.symbols.info(symbol).address,
            Value::Undefined | Value::Pointer(_) | Value::Part(..) => false,
        }
    }

    /// What is kept of a value that is written to an offset of an object.
    pub(super) fn kept_in(&self, object: ObjectId, offset: u64, ty: Scalar, value: Value) -> Value {
        let may_drop = !matches!(ty, Scalar::Pointer(_)) && self.is_number(value);
        if may_drop && !self.memory.keeps_in(&self.state, object, offset) { Value::Undefined } else { value }
    }

    /// What is kept of a value that a local takes.
    pub(super) fn kept_by(&self, function: FunctionId, local: LocalId, value: Value) -> Value {
        let dropped = self.memory.dropped.get(function).is_some_and(|locals| locals.contains(&local));
        if dropped && self.is_number(value) { Value::Undefined } else { value }
    }

    /// Forgets numbers in the locals of a frame that are not kept.
    pub(super) fn drop_locals(&mut self, depth: usize) {
        let (memory, thread) = (&*self.memory, self.step.thread as usize);
        let Some(dropped) = memory.dropped.get(self.step.function) else { return };
        for local in dropped {
            let value = self.state.threads[thread].frames[depth].locals[local.index()];
            if value != Value::Undefined && self.is_number(value) {
                let frame = self.state.threads[thread].frames[depth].edit();
                frame.locals[local.index()] = Value::Undefined;
            }
        }
    }
}

//! Steps that read or write memory, and those that make and end objects.

use base::Idx;
use program::{Access, Allocation, BinaryOp, GlobalInit, Input, LocalId, Overwrite, Scalar};

use crate::concrete::EvalStop;
use crate::eval::Domain;
use crate::indeterminate::{ORIGIN, Question};
use crate::memory::{Byte, Contents, Fill, Read};
use crate::race::Touch;
use crate::state::{Life, ObjectKind};
use crate::step::{Ending, Run, Step, Undefined, Violation};
use crate::value::{Base, ObjectId, Pointer, Value, mask};

impl Step<'_, '_> {
    /// The object and offset behind a pointer, if that many bytes are there.
    pub fn resolve(&mut self, pointer: Value, length: u64, write: bool) -> Run<(ObjectId, u64)> {
        let pointer = self.concrete().pointer_of(pointer);
        if let Value::Pointer(Pointer { base: Base::Object(id), offset }) = pointer {
            let object = self.state.object(id);
            if object.life == Life::Live && object.contents.contains(offset, length) && !(write && object.read_only) {
                if let ObjectKind::Arguments(count) = object.kind {
                    self.make_arguments(id, count, offset as u64, length)?;
                } else if let ObjectKind::Indeterminate(why) = object.kind {
                    self.state.decide_fresh(id);
                    if !is_promised(why) {
                        self.effects.violations.push(Violation::InvalidAccess);
                    }
                }
                if let Some(touched) = &mut self.touched {
                    touched.push(Touch { object: id, start: offset, length, write, atomic: false });
                }
                return Ok((id, offset as u64));
            }
        }
        self.effects.violations.push(Violation::InvalidAccess);
        Err(Ending::Undefined(Undefined::Access))
    }

    pub fn read_at(&mut self, place: (ObjectId, u64), access: &Access) -> Run<Value> {
        let Some(bits) = &access.bits else { return self.read_scalar(place, access.ty) };
        let whole = self.read_bytes(place, access.length())?;
        Ok(Value::from_bits(whole >> bits.start & mask(access.ty)))
    }

    pub fn load_at(&mut self, address: Value, ty: Scalar) -> Run<Value> {
        let place = self.resolve(address, ty.bytes(), false)?;
        self.read_scalar(place, ty)
    }

    fn read_scalar(&mut self, (object, offset): (ObjectId, u64), ty: Scalar) -> Run<Value> {
        let length = ty.bytes();
        match self.state.object(object).contents.read(offset, length) {
            Read::Bits(bits) => Ok(Value::from_bits(bits & mask(ty))),
            Read::Pointer(pointer) if !matches!(ty, Scalar::Float(_)) => Ok(Value::Pointer(pointer)),
            Read::Undefined => {
                let why = self.why_undefined(object);
                let value = self.input(ty, why);
                let contents = &mut self.state.object_mut(object).contents;
                match value {
                    Value::Pointer(pointer) => contents.write_pointer(offset, length, pointer)?,
                    value => contents.write_bits(offset, length, value.bits().unwrap_or(0))?,
                }
                Ok(value)
            }
            Read::Mixed if length == 1 => match self.state.object(object).contents.byte(offset) {
                Byte::Part(pointer, index) => Ok(Value::Part(pointer, index)),
                _ => unreachable!("a byte is mixed only as a part of a pointer"),
            },
            Read::Pointer(_) | Read::Mixed => {
                let bits = self.read_bytes((object, offset), length)?;
                Ok(Value::from_bits(bits & mask(ty)))
            }
        }
    }

    /// Why bytes of an object were not chosen yet. What a variable holds that other code defines is not known here.
    fn why_undefined(&self, object: ObjectId) -> Input {
        match self.state.object(object).kind {
            ObjectKind::Indeterminate(why) => why,
            ObjectKind::Global(global) if matches!(self.program().globals[global].init, GlobalInit::Arbitrary) => {
                Input::Imprecise
            }
            _ => Input::Uninitialised,
        }
    }

    /// Bytes as a number, whatever they are.
    fn read_bytes(&mut self, (object, offset): (ObjectId, u64), length: u64) -> Run<u128> {
        let mut bits = 0;
        for i in (0..length).rev() {
            bits = bits << 8 | u128::from(self.load_byte(object, offset + i)?);
        }
        Ok(bits)
    }

    /// One byte as a number; chosen now if it was not.
    pub fn load_byte(&mut self, object: ObjectId, offset: u64) -> Run<u8> {
        match self.state.object(object).contents.byte(offset) {
            Byte::Concrete(byte) => Ok(byte),
            Byte::Part(pointer, index) => {
                self.state.addresses_seen = true;
                let address = self.state.address_of(pointer, self.program().machine.pointer_bits);
                Ok((address >> (8 * index)) as u8)
            }
            Byte::Undefined => {
                let why = self.why_undefined(object);
                let byte = self.environment.input(Scalar::Int(8), why) as u8;
                self.state.object_mut(object).contents.write_bits(offset, 1, u128::from(byte))?;
                Ok(byte)
            }
        }
    }

    pub fn write_at(&mut self, place: (ObjectId, u64), access: &Access, value: Value) -> Run<()> {
        let Some(bits) = &access.bits else { return self.write_scalar(place, access.ty, value) };
        let old = self.read_bytes(place, access.length())?;
        let field = mask(access.ty) << bits.start;
        let new = old & !field | self.bits_of(value) << bits.start & field;
        Ok(self.state.object_mut(place.0).contents.write_bits(place.1, access.length(), new)?)
    }

    pub fn store_at(&mut self, address: Value, ty: Scalar, value: Value) -> Run<()> {
        let place = self.resolve(address, ty.bytes(), true)?;
        self.write_scalar(place, ty, value)
    }

    fn write_scalar(&mut self, (object, offset): (ObjectId, u64), ty: Scalar, value: Value) -> Run<()> {
        let length = ty.bytes();
        let pointer_bytes = self.program().machine.pointer_bytes();
        match value {
            Value::Part(pointer, index) if length == 1 => {
                self.state.object_mut(object).contents.write_fragment(offset, 1, pointer, index)?;
            }
            Value::Pointer(pointer) if length == pointer_bytes => {
                self.state.object_mut(object).contents.write_pointer(offset, length, pointer)?;
            }
            value => {
                let bits = self.bits_of(value);
                self.state.object_mut(object).contents.write_bits(offset, length, bits)?;
            }
        }
        Ok(())
    }

    /// Numbers that a function without a body may have written are chosen when they are read.
    pub fn overwrite_numbers(&mut self, overwrite: &Overwrite) -> Run<()> {
        let pointer = self.value(overwrite.address)?;
        let Value::Pointer(Pointer { base: Base::Object(id), offset }) = self.concrete().pointer_of(pointer) else {
            return Ok(());
        };
        let object = self.state.object(id);
        let Some(offset) = u64::try_from(offset).ok().filter(|offset| *offset <= object.contents.size) else {
            return Ok(());
        };
        if object.life == Life::Live && !object.read_only && overwrite.writes() {
            let contents = &mut self.state.object_mut(id).contents;
            let start = overwrite.start(offset);
            let left = contents.initialised().min(contents.size).saturating_sub(start).next_multiple_of(overwrite.size);
            if left / overwrite.size > MOST_OVERWRITTEN {
                return Err(crate::memory::TooLarge.into());
            }
            for (at, length) in overwrite.places(left.min(contents.size - start)) {
                contents.forget_number(start + at, length)?;
            }
        }
        Ok(())
    }

    /// As `==` has it: a pointer and its number are equal.
    pub fn is_equal(&mut self, ty: Scalar, a: Value, b: Value) -> Result<bool, Question> {
        let mut domain = self.concrete();
        let equal = domain.binary(BinaryOp::Eq, ty, a, ty, b);
        let seen = domain.address_seen;
        self.state.addresses_seen |= seen;
        match equal {
            Err(EvalStop::Undecided(question)) => Err(question),
            equal => Ok(equal == Ok(Value::truth(true))),
        }
    }

    // Objects.

    pub fn enter_object(&mut self, local: LocalId) {
        let function = self.function();
        let size = self.program().types.size(function.locals[local].ty);
        let contents = Contents::new(size, Fill::Undefined);
        if let Some(object) = self.object_of(local) {
            self.state.object_mut(object).contents = contents;
            return;
        }
        let object = self.state.new_object(contents, ObjectKind::Local, false);
        self.set(local, Value::Pointer(Pointer::to(Base::Object(object))));
    }

    fn object_of(&self, local: LocalId) -> Option<ObjectId> {
        match self.state.frame(self.thread).locals[local.index()] {
            Value::Pointer(Pointer { base: Base::Object(object), .. }) => Some(object),
            _ => None,
        }
    }

    pub fn clear_object(&mut self, local: LocalId) {
        if let Some(object) = self.object_of(local) {
            let contents = &mut self.state.object_mut(object).contents;
            *contents = Contents::new(contents.size, Fill::Zero);
        }
    }

    pub fn leave_object(&mut self, local: LocalId) {
        if let Some(object) = self.object_of(local) {
            self.state.end_object(object, Life::Ended);
            self.set(local, Value::Undefined);
        }
    }

    /// A new object. What an old block holds is moved there as far as it fits.
    pub fn new_block(&mut self, kind: Allocation, size: u64, old: Option<ObjectId>) -> Run<ObjectId> {
        let (kind, fill) = match kind {
            Allocation::Heap | Allocation::Realloc(_) => (ObjectKind::Heap, Fill::Undefined),
            Allocation::HeapZeroed => (ObjectKind::Heap, Fill::Zero),
            Allocation::Frame | Allocation::Variable(_) => (ObjectKind::Local, Fill::Undefined),
        };
        let mut contents = Contents::new(size, fill);
        if let Some(old) = old {
            contents.copy_prefix(&self.state.object(old).contents)?;
            self.state.end_object(old, Life::Freed);
        }
        Ok(self.state.new_object(contents, kind, false))
    }

    /// The block that a pointer to be freed leads to.
    pub fn block_at(&mut self, pointer: Value) -> Run<ObjectId> {
        let pointer = self.concrete().pointer_of(pointer);
        if let Value::Pointer(Pointer { base: Base::Object(id), offset: ORIGIN }) = pointer
            && let ObjectKind::Indeterminate(why) = self.state.object(id).kind
            && self.state.object(id).life == Life::Live
        {
            self.state.decide_fresh(id);
            if !is_promised(why) {
                self.effects.violations.push(Violation::InvalidFree);
            }
            return Ok(id);
        }
        if let Value::Pointer(Pointer { base: Base::Object(id), offset: 0 }) = pointer {
            let object = self.state.object(id);
            if object.kind == ObjectKind::Heap && object.life == Life::Live {
                return Ok(id);
            }
        }
        self.effects.violations.push(Violation::InvalidFree);
        Err(Ending::Undefined(Undefined::Free))
    }
}

/// More elements are not overwritten one by one.
const MOST_OVERWRITTEN: u64 = 1 << 20;

/// An array of variable length with more bytes has a negative length.
pub const LONGEST_ARRAY: u64 = i64::MAX as u64;

/// What a function without a body returns is an object of its type: using it violates nothing.
fn is_promised(why: Input) -> bool {
    matches!(why, Input::Unknown | Input::Imprecise)
}

//! Concrete evaluation in a frame: numbers by the operator table, pointers by object and offset. A pointer that is treated as a
//! number keeps its object through what compilers and programs do to addresses (adding, aligning, tagging low bits); for anything
//! else it becomes its address.

use base::Idx;
use program::{BinaryOp, Cast, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};

use crate::eval::Domain;
use crate::ops::{self, Fault};
use crate::state::State;
use crate::value::{Base, Pointer, ThreadId, Value, mask};

/// Objects are aligned to this, so the low bits of an address are those of the offset.
const ALIGNED: u64 = 16;

pub struct Concrete<'s> {
    pub state: &'s State,
    pub thread: ThreadId,
    pub pointer_bits: u8,
    /// A signed operation left the range of its type.
    pub overflow: bool,
    /// A number or the order of addresses was needed.
    pub address_seen: bool,
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalStop {
    /// This local must be chosen first.
    Choose(LocalId),
    Fault(Fault),
}

impl<'s> Concrete<'s> {
    pub fn new(state: &'s State, thread: ThreadId, pointer_bits: u8) -> Self {
        Concrete { state, thread, pointer_bits, overflow: false, address_seen: false }
    }

    /// The bits of any value.
    pub fn number(&mut self, value: Value) -> u128 {
        match value {
            Value::Pointer(pointer) => {
                self.address_seen = true;
                u128::from(self.state.address_of(pointer, self.pointer_bits))
            }
            Value::Part(pointer, index) => {
                self.address_seen = true;
                u128::from((self.state.address_of(pointer, self.pointer_bits) >> (8 * index)) as u8)
            }
            value => value.bits().unwrap_or(0),
        }
    }

    /// A number that is the address of an object leads to it, if the program has looked at addresses at all.
    pub fn pointer_of(&self, value: Value) -> Value {
        match value {
            Value::Bits(address) if address != 0 && (self.address_seen || self.state.addresses_seen) => {
                self.state.object_at(address).map_or(value, Value::Pointer)
            }
            value => value,
        }
    }

    /// An integer made from a pointer that was moved out of its object may have been moved into another one.
    fn integer_as_pointer(&mut self, value: Value) -> Value {
        if let Value::Pointer(pointer @ Pointer { base: Base::Object(id), offset }) = value
            && !self.state.object(id).contents.contains(offset, 0)
            && let Some(other) = self.state.object_at(self.state.address_of(pointer, self.pointer_bits))
        {
            self.address_seen = true;
            return Value::Pointer(other);
        }
        self.pointer_of(value)
    }

    fn word(&self) -> Scalar {
        Scalar::Int(self.pointer_bits)
    }

    fn as_offset(&self, bits: u128) -> i64 {
        if self.pointer_bits == 32 { i64::from(bits as u32 as i32) } else { bits as u64 as i64 }
    }

    /// What keeps its object; `None` if it must become a number.
    fn pointer_arithmetic(&self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        use BinaryOp::*;
        match (op, a, b) {
            (Add | SAdd | PtrAdd, Value::Pointer(p), Value::Bits(n)) => {
                Some(Value::Pointer(p.moved(self.as_offset(u128::from(n)))))
            }
            (Add | SAdd, Value::Bits(n), Value::Pointer(p)) => {
                Some(Value::Pointer(p.moved(self.as_offset(u128::from(n)))))
            }
            (Sub | SSub, Value::Pointer(p), Value::Bits(n)) => {
                Some(Value::Pointer(p.moved(self.as_offset(u128::from(n)).wrapping_neg())))
            }
            (Sub | SSub | PtrDiff, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
                let difference = p.offset.wrapping_sub(q.offset) as u128 & mask(self.word());
                Some(Value::from_bits(difference))
            }
            (Eq, Value::Pointer(p), Value::Pointer(q)) => Some(Value::truth(p == q)),
            (Eq, Value::Pointer(_), Value::Bits(0)) | (Eq, Value::Bits(0), Value::Pointer(_)) => {
                Some(Value::truth(false))
            }
            (PtrLt | ULt | SLt, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
                Some(Value::truth(p.offset < q.offset))
            }
            (PtrLe | ULe | SLe, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
                Some(Value::truth(p.offset <= q.offset))
            }
            (And | Or | Xor, Value::Pointer(p), Value::Bits(n))
            | (And | Or | Xor, Value::Bits(n), Value::Pointer(p)) => self.low_bits(op, p, n),
            _ => None,
        }
    }

    /// Aligning and tagging: only bits change that the object's alignment leaves to the offset.
    fn low_bits(&self, op: BinaryOp, pointer: Pointer, bits: u64) -> Option<Value> {
        let moved = |offset: i64| Some(Value::Pointer(Pointer { base: pointer.base, offset }));
        let cleared = !bits & mask(self.word()) as u64;
        match op {
            BinaryOp::And if cleared < ALIGNED => moved(pointer.offset & !(cleared as i64)),
            BinaryOp::And if bits < ALIGNED => Some(Value::Bits(pointer.offset as u64 & bits)),
            BinaryOp::Or if bits < ALIGNED => moved(pointer.offset | bits as i64),
            BinaryOp::Xor if bits < ALIGNED => moved(pointer.offset ^ bits as i64),
            _ => None,
        }
    }

    /// Operators on plain numbers, also where they stand for pointers.
    fn on_numbers(&mut self, op: BinaryOp, ty: Scalar, a: u128, right: Scalar, b: u128) -> Result<Value, EvalStop> {
        let word = self.word();
        let (op, ty, right) = match (op, ty) {
            (BinaryOp::PtrAdd, _) => (BinaryOp::Add, word, word),
            (BinaryOp::PtrDiff, _) => (BinaryOp::Sub, word, word),
            (BinaryOp::PtrLt, _) => (BinaryOp::ULt, word, word),
            (BinaryOp::PtrLe, _) => (BinaryOp::ULe, word, word),
            (op, Scalar::Pointer(_)) => (op, word, word),
            (op, ty) => (op, ty, right),
        };
        self.overflow |= ops::binary_overflows(op, ty, a, b);
        ops::binary(op, ty, a, right, b).map(Value::from_bits).map_err(EvalStop::Fault)
    }
}

impl Domain for Concrete<'_> {
    type Value = Value;
    type Stop = EvalStop;

    fn constant(&mut self, _: Scalar, bits: u128) -> Value {
        Value::from_bits(bits)
    }

    fn local(&mut self, local: LocalId) -> Result<Value, EvalStop> {
        match self.state.frame(self.thread).locals[local.index()] {
            Value::Undefined => Err(EvalStop::Choose(local)),
            value => Ok(value),
        }
    }

    fn local_address(&mut self, local: LocalId) -> Result<Value, EvalStop> {
        // A local that has no object here is out of scope: its address is no address.
        match self.state.frame(self.thread).locals[local.index()] {
            Value::Undefined => Ok(Value::NULL),
            value => Ok(value),
        }
    }

    fn global_address(&mut self, global: GlobalId) -> Value {
        Value::Pointer(Pointer::to(Base::Object(self.state.global_object(self.thread, global))))
    }

    fn function_address(&mut self, function: FunctionId) -> Value {
        Value::Pointer(Pointer::to(Base::Function(function)))
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Value) -> Result<Value, EvalStop> {
        let a = self.number(a);
        self.overflow |= ops::unary_overflows(op, ty, a);
        Ok(Value::from_bits(ops::unary(op, ty, a)))
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Value, right: Scalar, b: Value) -> Result<Value, EvalStop> {
        if (matches!(a, Value::Pointer(_)) || matches!(b, Value::Pointer(_)))
            && let Some(value) = self.pointer_arithmetic(op, a, b)
        {
            return Ok(value);
        }
        let (a, b) = (self.number(a), self.number(b));
        self.on_numbers(op, ty, a, right, b)
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Value) -> Result<Value, EvalStop> {
        match cast {
            Cast::PtrToInt => Ok(a),
            Cast::IntToPtr => Ok(self.integer_as_pointer(a)),
            _ => {
                let bits = self.number(a);
                ops::cast(cast, from, to, bits).map(Value::from_bits).map_err(EvalStop::Fault)
            }
        }
    }

    fn decide(&mut self, condition: &Value) -> Option<bool> {
        Some(*condition != Value::Bits(0))
    }

    fn join(&mut self, _: &Value, a: Value, _: Value) -> Value {
        a
    }
}

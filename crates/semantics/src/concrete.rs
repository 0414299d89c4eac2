//! Concrete evaluation in a frame: numbers by the operator table, pointers by object and offset. A pointer that is treated as a
//! number keeps its object through what compilers and programs do to addresses (see [`keeping_object`]); for anything else it becomes
//! its address.

use base::Idx;
use program::{BinaryOp, Cast, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};

use crate::eval::Domain;
use crate::indeterminate::{Comparison, Question, compare};
use crate::ops::{self, Fault};
use crate::pointers::keeping_object;
use crate::state::State;
use crate::value::{Base, Pointer, ThreadId, Value};

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
    /// Whether an indeterminate pointer equals something must be chosen first.
    Undecided(Question),
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
        if op == BinaryOp::Eq {
            match compare(a, b, self.pointer_bits, |object| self.state.undecided(object)) {
                Comparison::Undecided(question) => return Err(EvalStop::Undecided(question)),
                Comparison::Apart => return Ok(Value::truth(false)),
                Comparison::Ordinary => {}
            }
        }
        if (matches!(a, Value::Pointer(_)) || matches!(b, Value::Pointer(_)))
            && let Some(value) = keeping_object(op, a, b, self.pointer_bits)
        {
            return Ok(value);
        }
        let (a, b) = (self.number(a), self.number(b));
        self.overflow |= ops::binary_overflows(op, ty, a, b);
        ops::binary(op, ty, a, right, b).map(Value::from_bits).map_err(EvalStop::Fault)
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

    fn decide(&mut self, condition: &Value) -> Result<Option<bool>, EvalStop> {
        Ok(Some(*condition != Value::Bits(0)))
    }

    fn join(&mut self, _: Scalar, _: &Value, a: Value, _: Value) -> Result<Value, EvalStop> {
        Ok(a)
    }
}

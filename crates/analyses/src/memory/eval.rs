//! Evaluation of expressions: exact where values are known, by ranges and definitions where they are symbols.

use facts::range::{self, Range};
use program::{BinaryOp, Cast, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};
use semantics::indeterminate::{Comparison, Question, Undecided, compare};
use semantics::ops;
use semantics::{Base, Domain, ObjectId, Pointer};

use super::contents::object_of;
use super::value::{Def, Operand, Symbol, Symbols, Value, binary_range, range_bits};
use super::{Frame, Memory, Own};

pub struct Eval<'a> {
    pub frame: &'a Frame,
    pub own: &'a Own,
    pub symbols: &'a mut Symbols,
    pub pointer_bits: u8,
    pub deepest: u32,
    pub noted: Noted,
    pub undecided: &'a dyn Fn(ObjectId) -> Option<&'a Undecided>,
    pub is_fresh: &'a dyn Fn(ObjectId) -> bool,
}

/// What happened in an evaluation.
#[derive(Clone, Copy, Default, Debug)]
pub struct Noted {
    /// A signed operation left its range: in every run.
    pub overflow: bool,
    /// … in some, perhaps.
    pub may_overflow: bool,
    /// Some runs end here, perhaps.
    pub may_end: bool,
    /// The number or order of addresses was looked at.
    pub addresses: bool,
    /// … of an undecided object.
    pub order: bool,
    /// The value depends on this symbol, and is known only for each of its values.
    pub split: Option<Symbol>,
}

pub enum EvalStop {
    /// This local must be chosen first.
    Choose(LocalId),
    /// There is no value.
    Fault,
    /// Whether an indeterminate pointer equals something must be chosen first.
    Undecided(Question),
}

impl Eval<'_> {
    /// A number for any value.
    fn operand(&mut self, value: Value) -> Operand {
        match self.symbols.value(value) {
            Value::Bits(bits) => Operand::Bits(bits),
            Value::Unknown(symbol) => Operand::Symbol(symbol),
            Value::Undefined => self.operand_of_fresh(Scalar::Int(64)),
            Value::Pointer(pointer) if self.is_undecided(pointer) => {
                self.noted.order = true;
                self.number_of_address(self.pointer_bits.into())
            }
            Value::Pointer(_) => self.number_of_address(self.pointer_bits.into()),
            Value::Part(pointer, _) => {
                self.noted.order |= self.is_undecided(pointer);
                self.number_of_address(8)
            }
        }
    }

    fn is_undecided(&self, pointer: Pointer) -> bool {
        matches!(pointer.base, Base::Object(id) if (self.undecided)(id).is_some())
    }

    fn operand_of_fresh(&mut self, ty: Scalar) -> Operand {
        match self.symbols.fresh(ty) {
            Value::Unknown(symbol) => Operand::Symbol(symbol),
            _ => unreachable!("a new symbol is unknown"),
        }
    }

    fn number_of_address(&mut self, bits: u32) -> Operand {
        self.noted.addresses = true;
        match self.symbols.address(bits) {
            Value::Unknown(symbol) => Operand::Symbol(symbol),
            _ => unreachable!("a new symbol is unknown"),
        }
    }

    /// What keeps its object; `None` if it must become a number.
    fn pointer_arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        use BinaryOp::*;
        match (op, a, b) {
            (Add | SAdd | PtrAdd | Sub | SSub, Value::Pointer(_), Value::Unknown(symbol))
            | (Add | SAdd, Value::Unknown(symbol), Value::Pointer(_)) => {
                self.noted.split = Some(symbol);
                Some(a)
            }
            _ => semantics::keeping_object(op, a.known()?, b.known()?, self.pointer_bits).and_then(Value::of_known),
        }
    }

    /// The outcome of a comparison with an indeterminate pointer, if it is one.
    fn compare(&mut self, a: Value, b: Value) -> Result<Option<Value>, EvalStop> {
        for (a, b) in [(a, b), (b, a)] {
            let Some(_) = object_of(a).and_then(self.undecided) else { continue };
            if let Value::Unknown(symbol) = b {
                self.noted.split = Some(symbol);
                return Ok(Some(Value::truth(false)));
            }
        }
        // What was used before it was compared may have been an object that is there: that is not followed.
        let is_fresh = |value: Value| object_of(value).is_some_and(self.is_fresh);
        if object_of(a) != object_of(b) && object_of(a).is_some() && object_of(b).is_some() {
            self.noted.order |= is_fresh(a) || is_fresh(b);
        }
        let (Some(x), Some(y)) = (a.known(), b.known()) else { return Ok(None) };
        match compare(x, y, self.pointer_bits, self.undecided) {
            Comparison::Undecided(question) => Err(EvalStop::Undecided(question)),
            Comparison::Apart => Ok(Some(Value::truth(false))),
            Comparison::Ordinary => Ok(None),
        }
    }

    fn known_binary(&mut self, op: BinaryOp, ty: Scalar, a: u64, right: Scalar, b: u64) -> Result<Value, EvalStop> {
        self.noted.overflow |= ops::binary_overflows(op, ty, a.into(), b.into());
        let bits = ops::binary(op, ty, a.into(), right, b.into()).map_err(|_| EvalStop::Fault)?;
        Ok(self.of_width(bits, ty))
    }

    fn of_width(&mut self, bits: u128, ty: Scalar) -> Value {
        match u64::try_from(bits) {
            Ok(bits) => Value::Bits(bits),
            Err(_) => self.symbols.fresh(ty),
        }
    }

    /// The type of an operator's result, as far as widths go.
    fn result_type(op: BinaryOp, ty: Scalar) -> Scalar {
        use BinaryOp::*;
        match op {
            Eq | ULt | ULe | SLt | SLe | FLt | FLe | PtrLt | PtrLe => Scalar::BOOL,
            _ => ty,
        }
    }

    fn symbolic_binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: Operand,
        right: Scalar,
        b: Operand,
    ) -> Result<Value, EvalStop> {
        use BinaryOp::*;
        if a == b && !matches!(ty, Scalar::Float(_)) {
            match op {
                Eq | ULe | SLe | PtrLe => return Ok(Value::truth(true)),
                ULt | SLt | PtrLt => return Ok(Value::truth(false)),
                Sub | SSub | Xor | PtrDiff => return Ok(Value::Bits(0)),
                _ => {}
            }
        }
        let ranges = (range_bits(ty).and_then(|bits| self.symbols.range(a, bits)))
            .zip(range_bits(right).and_then(|bits| self.symbols.range(b, bits)));
        let Some((x, y)) = ranges else {
            // Wide or floating: a divisor may be zero, a signed operation may overflow.
            self.noted.may_end |= matches!(op, UDiv | SDiv | URem | SRem | Shl | LShr | AShr | Scale);
            self.noted.may_overflow |= matches!(op, SAdd | SSub | SMul | SDiv | SRem);
            return Ok(self.symbols.define(
                Def::Binary(op, ty, a, right, b),
                range_bits(Self::result_type(op, ty)).map(Range::top),
                self.deepest,
            ));
        };
        self.noted.may_overflow |= range::may_overflow_binary(op, x, y);
        self.noted.may_end |= match op {
            UDiv | SDiv | URem | SRem => y.contains(0),
            Shl | LShr | AShr => y.max_unsigned() >= u64::from(x.bits()),
            Scale => true,
            _ => false,
        };
        let range = match binary_range(op, x, y) {
            Some(range) => range,
            None => return Err(EvalStop::Fault),
        };
        let range = range.or_else(|| range_bits(Self::result_type(op, ty)).map(Range::top));
        Ok(self.symbols.define(Def::Binary(op, ty, a, right, b), range, self.deepest))
    }
}

impl Domain for Eval<'_> {
    type Value = Value;
    type Stop = EvalStop;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Value {
        self.of_width(bits, ty)
    }

    fn local(&mut self, local: LocalId) -> Result<Value, EvalStop> {
        match self.frame.locals[local.0 as usize] {
            Value::Undefined => Err(EvalStop::Choose(local)),
            value => Ok(self.symbols.value(value)),
        }
    }

    fn local_address(&mut self, local: LocalId) -> Result<Value, EvalStop> {
        match self.frame.locals[local.0 as usize] {
            Value::Undefined => Ok(Value::NULL),
            value => Ok(value),
        }
    }

    fn global_address(&mut self, global: GlobalId) -> Value {
        let own = self.own.extras.thread_locals.iter().find(|(g, _)| *g == global);
        let object = own.map_or(ObjectId(global.0), |(_, object)| *object);
        Value::Pointer(Pointer::to(Base::Object(object)))
    }

    fn function_address(&mut self, function: FunctionId) -> Value {
        Value::Pointer(Pointer::to(Base::Function(function)))
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Value) -> Result<Value, EvalStop> {
        match self.operand(a) {
            Operand::Bits(bits) => {
                self.noted.overflow |= ops::unary_overflows(op, ty, bits.into());
                Ok(self.of_width(ops::unary(op, ty, bits.into()), ty))
            }
            operand => {
                let is_test = matches!(op, UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit);
                let known = range_bits(ty).and_then(|bits| self.symbols.range(operand, bits));
                self.noted.may_overflow |= match known {
                    Some(range) => range::may_overflow_unary(op, range),
                    None => op == UnaryOp::SNeg,
                };
                let range = match is_test {
                    true => Some(Range::top(1)),
                    false => known.and_then(|a| range::unary(op, a)).or_else(|| range_bits(ty).map(Range::top)),
                };
                Ok(self.symbols.define(Def::Unary(op, ty, operand), range, self.deepest))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Value, right: Scalar, b: Value) -> Result<Value, EvalStop> {
        if op == BinaryOp::Eq
            && let Some(value) = self.compare(a, b)?
        {
            return Ok(value);
        }
        if (matches!(a, Value::Pointer(_)) || matches!(b, Value::Pointer(_)))
            && let Some(value) = self.pointer_arithmetic(op, a, b)
        {
            return Ok(value);
        }
        match (self.operand(a), self.operand(b)) {
            (Operand::Bits(a), Operand::Bits(b)) => self.known_binary(op, ty, a, right, b),
            (a, b) => self.symbolic_binary(op, ty, a, right, b),
        }
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Value) -> Result<Value, EvalStop> {
        if matches!(cast, Cast::PtrToInt | Cast::IntToPtr) {
            return Ok(a);
        }
        match self.operand(a) {
            Operand::Bits(bits) => {
                let bits = ops::cast(cast, from, to, bits.into()).map_err(|_| EvalStop::Fault)?;
                Ok(self.of_width(bits, to))
            }
            operand => {
                self.noted.may_end |= matches!(cast, Cast::FloatToSigned | Cast::FloatToUnsigned);
                let range = self.symbols.range_of_cast(cast, from, to, operand);
                let range = range.or_else(|| range_bits(to).map(Range::top));
                Ok(self.symbols.define(Def::Cast(cast, from, to, operand), range, self.deepest))
            }
        }
    }

    fn decide(&mut self, condition: &Value) -> Result<Option<bool>, EvalStop> {
        Ok(match *condition {
            Value::Bits(bits) => Some(bits != 0),
            Value::Unknown(symbol) => {
                self.noted.split = Some(symbol);
                None
            }
            _ => Some(true),
        })
    }

    fn join(&mut self, _: Scalar, _: &Value, a: Value, _: Value) -> Result<Value, EvalStop> {
        // The state is split by the condition's symbol, and this value is not used.
        Ok(a)
    }
}

impl Memory<'_> {
    pub(super) fn pointer_bits(&self) -> u8 {
        self.program.machine.pointer_bits
    }
}

//! What operators make of values: the one table that folding and evaluation use.

use std::sync::Arc;

use crate::value::{ArrayValue, Value, mask, signed};
use crate::{Op, Sort};

impl Op {
    /// The value of the operator on operands of the right sorts. `None` for a symbol, whose value is an assignment's.
    pub fn value(self, operands: &[Value]) -> Option<Value> {
        Some(match (self, operands) {
            (Op::Bool(value), []) => Value::Bool(value),
            (Op::Bits { width, value }, []) => Value::Bits { width, value },
            (Op::Symbol(..), []) => return None,
            (Op::Not, [Value::Bool(a)]) => Value::Bool(!a),
            (Op::And, [Value::Bool(a), Value::Bool(b)]) => Value::Bool(*a && *b),
            (Op::Or, [Value::Bool(a), Value::Bool(b)]) => Value::Bool(*a || *b),
            (Op::Eq, [a, b]) => Value::Bool(a == b),
            (Op::Ite, [Value::Bool(condition), a, b]) => if *condition { a } else { b }.clone(),
            (Op::Select, [Value::Array(array), Value::Bits { value, .. }]) => {
                Value::bits(array.element, array.get(*value))
            }
            (Op::Store, [Value::Array(array), Value::Bits { value: at, .. }, Value::Bits { value, .. }]) => {
                let mut array = ArrayValue::clone(array);
                array.set(*at, *value);
                Value::Array(Arc::new(array))
            }
            (Op::ConstArray { index }, [Value::Bits { width, value }]) => {
                Value::Array(Arc::new(ArrayValue::new(index, *width, *value)))
            }
            (op, [Value::Bits { width, value }]) => unary(op, *width, *value),
            (op, [Value::Bits { width, value: a }, Value::Bits { width: low, value: b }]) => {
                binary(op, *width, *a, *low, *b)
            }
            (op, operands) => sort_panic(op, operands),
        })
    }
}

fn sort_panic(op: Op, operands: &[Value]) -> ! {
    let sorts: Vec<Sort> = operands.iter().map(Value::sort).collect();
    panic!("{op} on values of sorts {sorts:?}")
}

fn unary(op: Op, width: u8, a: u128) -> Value {
    match op {
        Op::BvNot => Value::bits(width, !a),
        Op::BvNeg => Value::bits(width, a.wrapping_neg()),
        Op::Extract { high, low } => Value::bits(high - low + 1, a >> low),
        Op::ZeroExtend(by) => Value::bits(width + by, a),
        Op::SignExtend(by) => Value::bits(width + by, signed(width, a) as u128),
        op => sort_panic(op, &[Value::bits(width, a)]),
    }
}

fn binary(op: Op, width: u8, a: u128, low: u8, b: u128) -> Value {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let result = match op {
        Op::BvUlt => return Value::Bool(a < b),
        Op::BvSlt => return Value::Bool(sa < sb),
        Op::Concat => return Value::bits(width + low, a << low | b),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a.wrapping_add(b),
        Op::BvSub => a.wrapping_sub(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv if b == 0 && sa < 0 => 1,
        Op::BvSdiv if b == 0 => u128::MAX,
        Op::BvSdiv => sa.wrapping_div(sb) as u128,
        Op::BvSrem if b == 0 => a,
        Op::BvSrem => sa.wrapping_rem(sb) as u128,
        Op::BvShl if b < u128::from(width) => a << b,
        Op::BvLshr if b < u128::from(width) => a >> b,
        Op::BvShl | Op::BvLshr => 0,
        Op::BvAshr => (sa >> b.min(u128::from(width) - 1)) as u128,
        op => sort_panic(op, &[Value::bits(width, a), Value::bits(low, b)]),
    };
    Value::Bits { width, value: mask(width, result) }
}

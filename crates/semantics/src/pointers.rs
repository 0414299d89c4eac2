//! What operators make of pointers that keep their object: what compilers and programs do to addresses (moving, aligning, tagging low
//! bits), and comparisons that objects and offsets decide.

use program::{BinaryOp, Scalar};

use crate::value::{Pointer, Value, mask};

/// Objects are aligned to this, so the low bits of an address are those of the offset.
const ALIGNED: u64 = 16;

/// The outcome by objects and offsets; `None` if pointers must become their addresses first.
pub fn keeping_object(op: BinaryOp, a: Value, b: Value, pointer_bits: u8) -> Option<Value> {
    use BinaryOp::*;
    let moved = |pointer: Pointer, bytes: i64| Value::Pointer(pointer.moved(bytes));
    let as_offset = |bits: u64| if pointer_bits == 32 { i64::from(bits as u32 as i32) } else { bits as i64 };
    let all_ones = mask(Scalar::Int(pointer_bits)) as u64;
    Some(match (op, a, b) {
        (Add | SAdd | PtrAdd, Value::Pointer(p), Value::Bits(n)) => moved(p, as_offset(n)),
        (Add | SAdd, Value::Bits(n), Value::Pointer(p)) => moved(p, as_offset(n)),
        (Sub | SSub, Value::Pointer(p), Value::Bits(n)) => moved(p, as_offset(n).wrapping_neg()),
        (Sub | SSub | PtrDiff, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
            Value::Bits(p.offset.wrapping_sub(q.offset) as u64 & all_ones)
        }
        (Eq, Value::Pointer(p), Value::Pointer(q)) => Value::truth(p == q),
        (Eq, Value::Pointer(_), Value::Bits(0)) | (Eq, Value::Bits(0), Value::Pointer(_)) => Value::truth(false),
        (PtrLt | ULt | SLt, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
            Value::truth(p.offset < q.offset)
        }
        (PtrLe | ULe | SLe, Value::Pointer(p), Value::Pointer(q)) if p.base == q.base => {
            Value::truth(p.offset <= q.offset)
        }
        (And | Or | Xor, Value::Pointer(p), Value::Bits(n)) | (And | Or | Xor, Value::Bits(n), Value::Pointer(p)) => {
            return low_bits(op, p, n, all_ones);
        }
        _ => return None,
    })
}

/// Aligning and tagging: only bits change that the object's alignment leaves to the offset.
fn low_bits(op: BinaryOp, pointer: Pointer, bits: u64, all_ones: u64) -> Option<Value> {
    let at = |offset: i64| Some(Value::Pointer(Pointer { base: pointer.base, offset }));
    let cleared = !bits & all_ones;
    match op {
        BinaryOp::And if cleared < ALIGNED => at(pointer.offset & !(cleared as i64)),
        BinaryOp::And if bits < ALIGNED => Some(Value::Bits(pointer.offset as u64 & bits)),
        BinaryOp::Or if bits < ALIGNED => at(pointer.offset | bits as i64),
        BinaryOp::Xor if bits < ALIGNED => at(pointer.offset ^ bits as i64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Base, ObjectId};

    fn at(object: u32, offset: i64) -> Value {
        Value::Pointer(Pointer { base: Base::Object(ObjectId(object)), offset })
    }

    #[test]
    fn moving_is_by_signed_words() {
        assert_eq!(keeping_object(BinaryOp::PtrAdd, at(1, 8), Value::Bits(u64::MAX), 64), Some(at(1, 7)));
        assert_eq!(keeping_object(BinaryOp::PtrAdd, at(1, 8), Value::Bits(0xffff_ffff), 32), Some(at(1, 7)));
        assert_eq!(keeping_object(BinaryOp::Add, Value::Bits(4), at(1, 8), 64), Some(at(1, 12)));
        assert_eq!(keeping_object(BinaryOp::Sub, at(1, 8), Value::Bits(4), 64), Some(at(1, 4)));
        assert_eq!(keeping_object(BinaryOp::Sub, Value::Bits(4), at(1, 8), 64), None);
        assert_eq!(keeping_object(BinaryOp::Mul, at(1, 8), Value::Bits(2), 64), None);
    }

    #[test]
    fn differences_and_order_are_known_within_one_object() {
        assert_eq!(keeping_object(BinaryOp::PtrDiff, at(1, 4), at(1, 8), 32), Some(Value::Bits(0xffff_fffc)));
        assert_eq!(keeping_object(BinaryOp::PtrDiff, at(1, 4), at(2, 8), 32), None);
        assert_eq!(keeping_object(BinaryOp::PtrLt, at(1, 4), at(1, 8), 64), Some(Value::truth(true)));
        assert_eq!(keeping_object(BinaryOp::PtrLe, at(1, 9), at(1, 8), 64), Some(Value::truth(false)));
        assert_eq!(keeping_object(BinaryOp::PtrLt, at(1, 4), at(2, 8), 64), None);
    }

    #[test]
    fn no_object_is_at_null_or_where_another_is() {
        assert_eq!(keeping_object(BinaryOp::Eq, at(1, 4), at(2, 4), 64), Some(Value::truth(false)));
        assert_eq!(keeping_object(BinaryOp::Eq, Value::NULL, at(2, 4), 64), Some(Value::truth(false)));
        assert_eq!(keeping_object(BinaryOp::Eq, Value::Bits(1), at(2, 4), 64), None, "the address is not known here");
    }

    #[test]
    fn low_bits_are_those_of_the_offset() {
        assert_eq!(keeping_object(BinaryOp::And, at(1, 13), Value::Bits(!7), 64), Some(at(1, 8)));
        assert_eq!(keeping_object(BinaryOp::And, at(1, 13), Value::Bits(0xffff_fff8), 32), Some(at(1, 8)));
        assert_eq!(keeping_object(BinaryOp::And, at(1, 13), Value::Bits(0xffff_fff8), 64), None, "high bits, too");
        assert_eq!(keeping_object(BinaryOp::And, Value::Bits(7), at(1, 13), 64), Some(Value::Bits(5)));
        assert_eq!(keeping_object(BinaryOp::Or, at(1, 8), Value::Bits(1), 64), Some(at(1, 9)));
        assert_eq!(keeping_object(BinaryOp::Xor, at(1, 9), Value::Bits(1), 64), Some(at(1, 8)));
        assert_eq!(keeping_object(BinaryOp::Or, at(1, 8), Value::Bits(16), 64), None);
    }
}

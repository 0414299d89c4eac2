//! Whether operators on signed C types may leave the range of the type.

use program::{BinaryOp, UnaryOp};

use super::{Range, greatest, least, mask};

/// Does the operator, one on a signed C type, leave the range of that type for some member? Exact.
pub fn may_overflow_unary(op: UnaryOp, a: Range) -> bool {
    op == UnaryOp::SNeg && a.low == least(a.bits())
}

/// Does the operator, one on a signed C type, leave the range of that type for some members? Exact. Agrees with
/// [`semantics::ops::binary_overflows`].
pub fn may_overflow_binary(op: BinaryOp, a: Range, b: Range) -> bool {
    let [a_low, a_high, b_low, b_high] = [a.low, a.high, b.low, b.high].map(i128::from);
    match op {
        BinaryOp::SAdd => leaves(a.bits(), &[a_low + b_low, a_high + b_high]),
        BinaryOp::SSub => leaves(a.bits(), &[a_low - b_high, a_high - b_low]),
        BinaryOp::SMul => leaves(a.bits(), &[a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high]),
        BinaryOp::SDiv | BinaryOp::SRem => a.low == least(a.bits()) && b.contains(mask(b.bits())),
        _ => false,
    }
}

fn leaves(bits: u32, values: &[i128]) -> bool {
    let range = i128::from(least(bits))..=greatest(bits).into();
    values.iter().any(|value| !range.contains(value))
}

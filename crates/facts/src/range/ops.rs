//! Operators of expressions on ranges: sound for [`semantics::ops`], and monotone.
//!
//! Constants are left to that table. Otherwise an operator works on each pair of halves as on unbounded integers, and the results
//! are wrapped to the width and joined.

use program::{BinaryOp, Cast, Scalar, UnaryOp};

use super::span::Span;
use super::{Range, bitwise};

/// What an operator makes of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Every value that members of the operands give.
    Value(Range),
    /// No members of the operands give a value: the divisor is zero, or no shift amount is below the width.
    Never,
    /// The operator is not one on integers.
    Foreign,
}

impl Outcome {
    pub fn value(self) -> Option<Range> {
        match self {
            Outcome::Value(range) => Some(range),
            Outcome::Never | Outcome::Foreign => None,
        }
    }
}

/// `None` if the operator is not one on integers.
pub fn unary(op: UnaryOp, a: Range) -> Option<Range> {
    let bits = a.bits();
    if let Some(value) = a.as_constant()
        && is_integer_unary(op)
    {
        return Some(Range::constant(bits, concrete_unary(op, bits, value)));
    }
    match op {
        UnaryOp::Neg | UnaryOp::SNeg => over(bits, a.signed_spans(), Span::negate),
        UnaryOp::Not => over(bits, a.signed_spans(), |a| a.negate().shift_by(-1)),
        UnaryOp::LeadingZeros => over(bits, a.unsigned_spans(), |a| leading_zeros(a, bits)),
        UnaryOp::TrailingZeros => over(bits, a.unsigned_spans(), |a| bitwise::trailing_zeros(a, bits)),
        UnaryOp::PopCount => over(bits, a.unsigned_spans(), bitwise::count_ones),
        UnaryOp::ByteSwap if bits == 8 => Some(a),
        UnaryOp::ByteSwap => over(bits, a.unsigned_spans(), |a| {
            bitwise::permute(a, |word| concrete_unary(UnaryOp::ByteSwap, bits, word))
        }),
        _ => None,
    }
}

fn is_integer_unary(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Neg | SNeg | Not | LeadingZeros | TrailingZeros | PopCount | ByteSwap)
}

fn concrete_unary(op: UnaryOp, bits: u32, value: u64) -> u64 {
    semantics::ops::unary(op, Scalar::Int(bits as u8), value.into()) as u64
}

fn leading_zeros(a: Span, bits: u32) -> Span {
    let zeros = |number: i128| i128::from((number as u64).leading_zeros() + bits) - 64;
    Span::new(zeros(a.hi), zeros(a.lo), 1)
}

/// The operands have one width, unless the operator is a shift.
pub fn binary(op: BinaryOp, a: Range, b: Range) -> Outcome {
    if !is_integer_binary(op) {
        return Outcome::Foreign;
    }
    let value = match (a.as_constant(), b.as_constant()) {
        (Some(left), Some(right)) => concrete_binary(op, a.bits(), left, b.bits(), right),
        _ => general_binary(op, a, b),
    };
    value.map_or(Outcome::Never, Outcome::Value)
}

fn is_integer_binary(op: BinaryOp) -> bool {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul | SAdd | SSub | SMul | Scale | UDiv | SDiv | URem | SRem | And | Or | Xor | Shl | LShr
        | AShr => true,
        Eq | ULt | ULe | SLt | SLe => true,
        FAdd | FSub | FMul | FDiv | FRem | FLt | FLe | FMin | FMax | FCopySign => false,
        PtrAdd | PtrDiff | PtrLt | PtrLe => false,
    }
}

fn concrete_binary(op: BinaryOp, bits: u32, a: u64, b_bits: u32, b: u64) -> Option<Range> {
    let (ty, b_ty) = (Scalar::Int(bits as u8), Scalar::Int(b_bits as u8));
    let value = semantics::ops::binary(op, ty, a.into(), b_ty, b.into()).ok()?;
    Some(Range::constant(if is_comparison(op) { 1 } else { bits }, value as u64))
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | ULt | ULe | SLt | SLe)
}

fn general_binary(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    use BinaryOp::*;
    let bits = a.bits();
    match op {
        Add | SAdd | Sub | SSub | Xor if a.is_top() || b.is_top() => Some(Range::top(bits)),
        Add | SAdd => over_signed(a, b, |a, b| Some(a.add(b))),
        Sub | SSub => over_signed(a, b, |a, b| Some(a.subtract(b))),
        Mul | SMul => over_signed(a, b, |a, b| Some(a.multiply(b))),
        Scale => {
            let most = (1i128 << (bits - 1)) - 1;
            over_signed(a, b, |a, b| a.multiply(b).clip(-most - 1, most))
        }
        SDiv => over_signed(a, b, |a, b| Some(a.divide(b.without_zero()?))),
        SRem => over_signed(a, b, |a, b| Some(a.remainder(b.without_zero()?))),
        UDiv => over_unsigned(a, b, |a, b| Some(a.divide(b.without_zero()?))),
        URem => over_unsigned(a, b, |a, b| Some(a.remainder(b.without_zero()?))),
        And => over_unsigned(a, b, |a, b| Some(bitwise::and(a, b))),
        Or => over_unsigned(a, b, |a, b| Some(bitwise::or(a, b))),
        Xor => over_unsigned(a, b, |a, b| Some(bitwise::xor(a, b))),
        Shl => over_amounts(bits, a.signed_spans(), b, Span::shift_left),
        LShr => over_amounts(bits, a.unsigned_spans(), b, Span::shift_right),
        AShr => over_amounts(bits, a.signed_spans(), b, Span::shift_right),
        Eq | ULt | ULe | SLt | SLe => Some(compare(op, a, b).map_or(Range::top(1), Range::truth)),
        _ => None,
    }
}

/// The outcome if it is the same for all members.
fn compare(op: BinaryOp, a: Range, b: Range) -> Option<bool> {
    let (always, never) = match op {
        BinaryOp::Eq => (a.is_constant() && a == b, a.meet(b).is_none()),
        BinaryOp::ULt => (a.unsigned_high < b.unsigned_low, a.unsigned_low >= b.unsigned_high),
        BinaryOp::ULe => (a.unsigned_high <= b.unsigned_low, a.unsigned_low > b.unsigned_high),
        BinaryOp::SLt => (a.high < b.low, a.low >= b.high),
        BinaryOp::SLe => (a.high <= b.low, a.low > b.high),
        _ => (false, false),
    };
    if always || never { Some(always) } else { None }
}

/// `None` if the cast is not one between integers of at most 64 bits.
pub fn cast(cast: Cast, a: Range, to: u32) -> Option<Range> {
    match cast {
        _ if to > 64 => None,
        Cast::Trunc | Cast::SExt => over(to, a.signed_spans(), |a| a),
        Cast::ZExt => over(to, a.unsigned_spans(), |a| a),
        _ => None,
    }
}

fn over(bits: u32, a: impl Iterator<Item = Span>, op: impl Fn(Span) -> Span) -> Option<Range> {
    a.map(|a| op(a).wrap(bits)).reduce(Range::join)
}

fn over_signed(a: Range, b: Range, op: impl Fn(Span, Span) -> Option<Span>) -> Option<Range> {
    over_pairs(a.bits(), a.signed_spans(), b.signed_spans(), op)
}

fn over_unsigned(a: Range, b: Range, op: impl Fn(Span, Span) -> Option<Span>) -> Option<Range> {
    over_pairs(a.bits(), a.unsigned_spans(), b.unsigned_spans(), op)
}

/// Amounts not below the width give no value.
fn over_amounts(
    bits: u32,
    a: impl Iterator<Item = Span>,
    amounts: Range,
    op: impl Fn(Span, Span) -> Span,
) -> Option<Range> {
    let last = i128::from(bits) - 1;
    over_pairs(bits, a, amounts.unsigned_spans(), |a, amounts| Some(op(a, amounts.clip(0, last)?)))
}

fn over_pairs(
    bits: u32,
    a: impl Iterator<Item = Span>,
    b: impl Iterator<Item = Span> + Clone,
    op: impl Fn(Span, Span) -> Option<Span>,
) -> Option<Range> {
    let mut result: Option<Range> = None;
    for a in a {
        for b in b.clone() {
            if let Some(span) = op(a, b) {
                let range = span.wrap(bits);
                result = Some(result.map_or(range, |result| result.join(range)));
            }
        }
    }
    result
}

//! What a comparison's outcome tells of its operands.

use program::BinaryOp;

use super::{Range, greatest, least, mask, sign_extend};

/// Both operands as far as the comparison can have the outcome; `None` if it cannot. Operators that are not comparisons of
/// integers tell nothing.
///
/// For orders, each result is the least range; of an inequality only bounds are cut off. Law: monotone.
pub fn refine(op: BinaryOp, truth: bool, a: Range, b: Range) -> Option<(Range, Range)> {
    let swap = |(b, a)| (a, b);
    match (op, truth) {
        (BinaryOp::Eq, true) => a.meet(b).map(|common| (common, common)),
        (BinaryOp::Eq, false) => refine_different(a, b),
        (BinaryOp::ULt, true) => refine_unsigned_less(a, b),
        (BinaryOp::ULe, true) => refine_unsigned_at_most(a, b),
        (BinaryOp::ULt, false) => refine_unsigned_at_most(b, a).map(swap),
        (BinaryOp::ULe, false) => refine_unsigned_less(b, a).map(swap),
        (BinaryOp::SLt, true) => refine_signed_less(a, b),
        (BinaryOp::SLe, true) => refine_signed_at_most(a, b),
        (BinaryOp::SLt, false) => refine_signed_at_most(b, a).map(swap),
        (BinaryOp::SLe, false) => refine_signed_less(b, a).map(swap),
        _ => Some((a, b)),
    }
}

fn refine_different(a: Range, b: Range) -> Option<(Range, Range)> {
    let rest_of_a = b.as_constant().map_or(Some(a), |value| a.without(value))?;
    let rest_of_b = a.as_constant().map_or(Some(b), |value| b.without(value))?;
    Some((rest_of_a, rest_of_b))
}

fn refine_signed_less(a: Range, b: Range) -> Option<(Range, Range)> {
    let last = b.high.checked_sub(1).filter(|last| *last >= least(a.bits()))?;
    let first = a.low.checked_add(1).filter(|first| *first <= greatest(a.bits()))?;
    Some((a.signed_up_to(last)?, b.signed_from(first)?))
}

fn refine_signed_at_most(a: Range, b: Range) -> Option<(Range, Range)> {
    Some((a.signed_up_to(b.high)?, b.signed_from(a.low)?))
}

fn refine_unsigned_less(a: Range, b: Range) -> Option<(Range, Range)> {
    let last = b.unsigned_high.checked_sub(1)?;
    let first = a.unsigned_low.checked_add(1).filter(|first| *first <= mask(a.bits()))?;
    Some((a.unsigned_up_to(last)?, b.unsigned_from(first)?))
}

fn refine_unsigned_at_most(a: Range, b: Range) -> Option<(Range, Range)> {
    Some((a.unsigned_up_to(b.unsigned_high)?, b.unsigned_from(a.unsigned_low)?))
}

impl Range {
    fn signed_up_to(self, last: i64) -> Option<Range> {
        self.meet(Range::signed(self.bits(), least(self.bits()), last))
    }

    fn signed_from(self, first: i64) -> Option<Range> {
        self.meet(Range::signed(self.bits(), first, greatest(self.bits())))
    }

    fn unsigned_up_to(self, last: u64) -> Option<Range> {
        self.meet(Range::unsigned(self.bits(), 0, last))
    }

    fn unsigned_from(self, first: u64) -> Option<Range> {
        self.meet(Range::unsigned(self.bits(), first, mask(self.bits())))
    }

    /// All but `value`, if that is a bound of a half; otherwise all.
    fn without(self, value: u64) -> Option<Range> {
        let value = i128::from(sign_extend(value, self.bits()));
        let rest = self.halves().map(|half| {
            let half = half?;
            let first = if half.lo == value { value + 1 } else { half.lo };
            let last = if half.hi == value { value - 1 } else { half.hi };
            half.clip(first, last)
        });
        Range::from_halves(self.bits(), rest)
    }
}

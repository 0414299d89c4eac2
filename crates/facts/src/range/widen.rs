//! Widening, so that chains of ranges end.

use super::span::{Span, remainder};
use super::{Range, greatest, least};

impl Range {
    /// A range that contains both. Bounds that `next` moves outward jump on to the next of `thresholds`, or to the limit of their half
    /// of the type; the thresholds are sorted and signed, as the type reads its values as signed. A stride only ever loses factors.
    ///
    /// Law: from any range, `range = range.widen(anything, thresholds)` changes it finitely often: the stride at most 65 times,
    /// and while it stays, each of the four bounds at most once more than there are thresholds.
    pub fn widen(self, next: Range, thresholds: &[i64]) -> Range {
        let joined = self.join(next);
        if joined == self {
            return self;
        }
        let ([old_negative, old_other], [negative, other]) = (self.halves(), joined.halves());
        let stride = joined.stride.into();
        let widened = [
            negative.map(|new| widen_half(old_negative, new, stride, (least(self.bits()), -1), thresholds)),
            other.map(|new| widen_half(old_other, new, stride, (0, greatest(self.bits())), thresholds)),
        ];
        Range::from_halves(self.bits(), widened).unwrap_or(joined)
    }
}

fn widen_half(old: Option<Span>, new: Span, stride: u128, limits: (i64, i64), thresholds: &[i64]) -> Span {
    let (mut lo, mut hi) = (new.lo, new.hi);
    if old.is_none_or(|old| lo < old.lo) {
        let limit = below(lo as i64, thresholds).unwrap_or(limits.0).max(limits.0);
        lo = i128::from(limit) + remainder(lo - i128::from(limit), stride);
    }
    if old.is_none_or(|old| hi > old.hi) {
        let limit = above(hi as i64, thresholds).unwrap_or(limits.1).min(limits.1);
        hi = i128::from(limit) - remainder(i128::from(limit) - hi, stride);
    }
    Span::exact(lo, hi, stride)
}

/// The greatest threshold up to a bound.
fn below(bound: i64, thresholds: &[i64]) -> Option<i64> {
    let index = thresholds.partition_point(|threshold| *threshold <= bound);
    Some(thresholds[index.checked_sub(1)?])
}

/// The least threshold from a bound on.
fn above(bound: i64, thresholds: &[i64]) -> Option<i64> {
    thresholds.get(thresholds.partition_point(|threshold| *threshold < bound)).copied()
}

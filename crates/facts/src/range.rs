//! Ranges of integers: what is known of a value of 1 to 64 bits is where it lies when read as signed, where when read as unsigned,
//! and what its remainder by some stride is.
//!
//! Signed and unsigned reading agree on each half of the values, the negative and the others. So a range is at most one strided
//! interval in each half, with one stride for both. The four bounds are always members and the stride is always the greatest
//! possible, hence equal sets are equal ranges, every set of values has a least range around it, and [`Range::join`] and
//! [`Range::meet`] are the lattice's. Operators (see [`binary`]) work half by half.
//!
//! Strides after Granger, "Static analysis of arithmetical congruences" (1989).

mod arithmetic;
mod bitwise;
mod ops;
mod overflow;
mod refine;
mod span;
#[cfg(test)]
mod tests;
mod widen;

use std::fmt;

pub use ops::{Outcome, binary, cast, unary};
pub use overflow::{may_overflow_binary, may_overflow_unary};
pub use refine::refine;
use span::{Span, gcd};

/// A set of integers of one width, never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// Read as signed: the least member and the greatest.
    low: i64,
    high: i64,
    /// Read as unsigned: the least member and the greatest.
    unsigned_low: u64,
    unsigned_high: u64,
    /// What divides all differences of the members' signed values; zero if there is one member only.
    stride: u64,
    bits: u8,
}

impl Range {
    pub fn top(bits: u32) -> Self {
        Range::signed(bits, least(bits), greatest(bits))
    }

    /// The low `bits` bits of `value`.
    pub fn constant(bits: u32, value: u64) -> Self {
        let value = value & mask(bits);
        let signed = sign_extend(value, bits);
        Range { low: signed, high: signed, unsigned_low: value, unsigned_high: value, stride: 0, bits: bits as u8 }
    }

    /// Both bounds are included, in order, and of the type.
    pub fn signed(bits: u32, low: i64, high: i64) -> Self {
        Range::strided(bits, low, high, 1)
    }

    /// Both bounds are included, in order, and of the type.
    pub fn unsigned(bits: u32, low: u64, high: u64) -> Self {
        assert!(low <= high && high <= mask(bits), "bad bounds {low} and {high} for {bits} bits");
        Span::new(low.into(), high.into(), 1).wrap(bits)
    }

    /// From `low` in steps of `stride`, which is not zero, as far as `high`. Both bounds are in order and of the type.
    pub fn strided(bits: u32, low: i64, high: i64, stride: u64) -> Self {
        assert!(
            least(bits) <= low && low <= high && high <= greatest(bits),
            "bad bounds {low} and {high} for {bits} bits"
        );
        Span::new(low.into(), high.into(), stride.into()).wrap(bits)
    }

    /// A truth value.
    pub fn truth(value: bool) -> Self {
        Range::constant(1, value.into())
    }

    pub fn bits(&self) -> u32 {
        self.bits.into()
    }

    pub fn is_top(&self) -> bool {
        self.stride == 1
            && self.low == least(self.bits())
            && self.high == greatest(self.bits())
            && self.unsigned_low == 0
            && self.unsigned_high == mask(self.bits())
    }

    pub fn is_constant(&self) -> bool {
        self.stride == 0
    }

    /// Zero-extended.
    pub fn as_constant(&self) -> Option<u64> {
        self.is_constant().then_some(self.unsigned_low)
    }

    pub fn min_signed(&self) -> i64 {
        self.low
    }

    pub fn max_signed(&self) -> i64 {
        self.high
    }

    pub fn min_unsigned(&self) -> u64 {
        self.unsigned_low
    }

    pub fn max_unsigned(&self) -> u64 {
        self.unsigned_high
    }

    /// At least 1: all members' signed values have the same remainder by it. 1 for a constant, which has any stride.
    pub fn stride(&self) -> u64 {
        self.stride.max(1)
    }

    /// Of the members' signed values by [`Self::stride`], not negative.
    pub fn remainder(&self) -> u64 {
        i128::from(self.low).rem_euclid(self.stride().into()) as u64
    }

    /// Of a zero-extended value.
    pub fn contains(&self, value: u64) -> bool {
        let signed = sign_extend(value, self.bits());
        (self.unsigned_low..=self.unsigned_high).contains(&value)
            && (self.low..=self.high).contains(&signed)
            && (self.stride <= 1 || signed.abs_diff(self.low).is_multiple_of(self.stride))
    }

    /// Is every member of this one of `other`?
    pub fn leq(&self, other: &Range) -> bool {
        debug_assert_eq!(self.bits, other.bits);
        other.low <= self.low
            && self.high <= other.high
            && other.unsigned_low <= self.unsigned_low
            && self.unsigned_high <= other.unsigned_high
            && (other.stride <= 1
                || self.stride.is_multiple_of(other.stride)
                    && self.low.abs_diff(other.low).is_multiple_of(other.stride))
    }

    /// The least range that contains both.
    pub fn join(self, other: Range) -> Range {
        debug_assert_eq!(self.bits, other.bits);
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            unsigned_low: self.unsigned_low.min(other.unsigned_low),
            unsigned_high: self.unsigned_high.max(other.unsigned_high),
            stride: gcd(gcd(self.stride, other.stride), self.low.abs_diff(other.low)),
            bits: self.bits,
        }
    }

    /// Exactly the common members.
    pub fn meet(self, other: Range) -> Option<Range> {
        debug_assert_eq!(self.bits, other.bits);
        if self.leq(&other) {
            return Some(self);
        }
        let ([a_negative, a_other], [b_negative, b_other]) = (self.halves(), other.halves());
        let meet = |a: Option<Span>, b: Option<Span>| a?.meet(b?);
        Range::from_halves(self.bits(), [meet(a_negative, b_negative), meet(a_other, b_other)])
    }

    /// The members below zero and the others, as signed values.
    fn halves(self) -> [Option<Span>; 2] {
        let last_negative = sign_extend(self.unsigned_high, self.bits());
        let negative = || Span::exact(self.low.into(), last_negative.into(), self.stride.into());
        let other = || Span::exact(self.unsigned_low.into(), self.high.into(), self.stride.into());
        [(self.low < 0).then(negative), (self.high >= 0).then(other)]
    }

    fn from_halves(bits: u32, halves: [Option<Span>; 2]) -> Option<Range> {
        halves.into_iter().flatten().map(|span| span.wrap(bits)).reduce(Range::join)
    }

    /// The halves that have members, as signed values.
    fn signed_spans(self) -> impl Iterator<Item = Span> + Clone {
        self.halves().into_iter().flatten()
    }

    /// The halves that have members, as unsigned values.
    fn unsigned_spans(self) -> impl Iterator<Item = Span> + Clone {
        let [negative, other] = self.halves();
        [negative.map(|span| span.shift_by(1 << self.bits)), other].into_iter().flatten()
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for Span { lo, hi, .. } in self.signed_spans() {
            write!(f, "{separator}{lo}")?;
            if lo != hi {
                write!(f, "..={hi}")?;
            }
            separator = " or ";
        }
        if self.stride > 1 {
            write!(f, " by {}", self.stride)?;
        }
        write!(f, " ({} bits)", self.bits)
    }
}

fn least(bits: u32) -> i64 {
    i64::MIN >> (64 - bits)
}

fn greatest(bits: u32) -> i64 {
    i64::MAX >> (64 - bits)
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn sign_extend(value: u64, bits: u32) -> i64 {
    ((value << (64 - bits)) as i64) >> (64 - bits)
}

//! Bitwise operators on spans of unsigned values of at most 64 bits, each in one half of its type. Law of all: monotone.
//!
//! A result is bounded by what intervals allow, exactly (Warren, "Hacker's Delight", 4-3), and its low bits are known as far as
//! those of the operands are. Where an operator does the same as an arithmetic one, that one keeps the stride.

use super::span::{Span, remainder};

/// Bits that all members have, and bits that some member may have.
#[derive(Clone, Copy)]
struct Known {
    ones: u64,
    maybe: u64,
}

impl Known {
    /// Above the highest bit in which the bounds differ, all members are the same; below the power of two in the stride, too.
    fn of(span: Span) -> Known {
        let (lo, hi) = (span.lo as u64, span.hi as u64);
        if span.is_constant() {
            return Known { ones: lo, maybe: lo };
        }
        let below = u64::MAX >> (lo ^ hi).leading_zeros();
        let unknown = below & !low_mask(span.stride.trailing_zeros());
        Known { ones: lo & !unknown, maybe: lo | unknown }
    }

    /// Members from `lo` to `hi` that have the low bits as known.
    fn within(self, lo: u64, hi: u64) -> Span {
        let unknown = self.maybe & !self.ones;
        if unknown == 0 {
            return Span::exact(self.ones.into(), self.ones.into(), 0);
        }
        let stride = 1 << unknown.trailing_zeros();
        let first = i128::from(lo) + remainder(i128::from(self.ones) - i128::from(lo), stride);
        Span::new(first, hi.into(), stride)
    }
}

fn low_mask(bits: u32) -> u64 {
    (1u64 << bits) - 1
}

pub fn and(a: Span, b: Span) -> Span {
    let (a, b) = constant_last(a, b);
    let (known_a, known_b) = (Known::of(a), Known::of(b));
    if b.is_constant() && known_a.maybe & !known_b.ones == 0 {
        return a;
    }
    if b.is_constant() && known_b.ones & (known_b.ones + 1) == 0 {
        return a.remainder(b.shift_by(1));
    }
    let known = Known { ones: known_a.ones & known_b.ones, maybe: known_a.maybe & known_b.maybe };
    known.within(!greatest_or(complement(a), complement(b)), !least_or(complement(a), complement(b)))
}

pub fn or(a: Span, b: Span) -> Span {
    let (known_a, known_b) = (Known::of(a), Known::of(b));
    if known_a.maybe & known_b.maybe == 0 {
        return a.add(b);
    }
    let known = Known { ones: known_a.ones | known_b.ones, maybe: known_a.maybe | known_b.maybe };
    known.within(least_or(bounds(a), bounds(b)), greatest_or(bounds(a), bounds(b)))
}

pub fn xor(a: Span, b: Span) -> Span {
    let (a, b) = constant_last(a, b);
    let (known_a, known_b) = (Known::of(a), Known::of(b));
    if known_a.maybe & known_b.maybe == 0 {
        return a.add(b);
    }
    if b.is_constant() && known_a.maybe & !known_b.ones == 0 {
        return b.subtract(a);
    }
    let unknown = known_a.maybe & !known_a.ones | known_b.maybe & !known_b.ones;
    let ones = (known_a.ones ^ known_b.ones) & !unknown;
    let known = Known { ones, maybe: ones | unknown };
    known.within(least_xor(bounds(a), bounds(b)), greatest_xor(bounds(a), bounds(b)))
}

/// The number of ones, between those that are known to be and those that may be.
pub fn count_ones(span: Span) -> Span {
    let known = Known::of(span);
    Span::new(known.ones.count_ones().into(), known.maybe.count_ones().into(), 1)
}

/// The number of zeros below the lowest one, the width for zero.
pub fn trailing_zeros(span: Span, bits: u32) -> Span {
    let zeros = |number: u64| number.trailing_zeros().min(bits);
    let (lo, hi) = (span.lo as u64, span.hi as u64);
    let from_stride = span.stride.trailing_zeros();
    let least = zeros(lo).min(from_stride);
    if span.is_constant() || zeros(lo) < from_stride {
        return Span::exact(zeros(lo).into(), zeros(lo).into(), 0);
    }
    // Between two numbers, the one with most zeros is cut off at the highest bit in which they differ, or the lower itself.
    let greatest = zeros(lo).max((lo ^ hi).ilog2());
    Span::new(least.into(), greatest.into(), 1)
}

/// What becomes of the members if `permute` moves bits, or drops them.
pub fn permute(span: Span, permute: impl Fn(u64) -> u64) -> Span {
    let known = Known::of(span);
    let moved = Known { ones: permute(known.ones), maybe: permute(known.maybe) };
    moved.within(moved.ones, moved.maybe)
}

fn constant_last(a: Span, b: Span) -> (Span, Span) {
    if a.is_constant() { (b, a) } else { (a, b) }
}

/// Least and greatest member.
type Bounds = (u64, u64);

fn bounds(span: Span) -> Bounds {
    (span.lo as u64, span.hi as u64)
}

fn complement(span: Span) -> Bounds {
    (!(span.hi as u64), !(span.lo as u64))
}

/// The bits of a word that are set, highest first, each on its own.
fn set_bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = 1 << word.checked_ilog2()?;
        word ^= bit;
        Some(bit)
    })
}

/// The least number from `lo` that has `bit` and nothing below it; `lo` lacks the bit.
fn raise(lo: u64, bit: u64) -> u64 {
    (lo | bit) & bit.wrapping_neg()
}

/// The greatest number up to `hi` that lacks `bit` and has all below it; `hi` has the bit.
fn lower(hi: u64, bit: u64) -> u64 {
    (hi - bit) | (bit - 1)
}

fn least_or((a, a_hi): Bounds, (b, b_hi): Bounds) -> u64 {
    for bit in set_bits(a ^ b) {
        if a & bit == 0 && raise(a, bit) <= a_hi {
            return raise(a, bit) | b;
        }
        if b & bit == 0 && raise(b, bit) <= b_hi {
            return raise(b, bit) | a;
        }
    }
    a | b
}

fn greatest_or((a_lo, a): Bounds, (b_lo, b): Bounds) -> u64 {
    for bit in set_bits(a & b) {
        if lower(a, bit) >= a_lo {
            return lower(a, bit) | b;
        }
        if lower(b, bit) >= b_lo {
            return lower(b, bit) | a;
        }
    }
    a | b
}

fn least_xor((mut a, a_hi): Bounds, (mut b, b_hi): Bounds) -> u64 {
    let mut rest = u64::MAX;
    while let Some(bit) = set_bits((a ^ b) & rest).next() {
        let (lo, hi) = if a & bit == 0 { (&mut a, a_hi) } else { (&mut b, b_hi) };
        if raise(*lo, bit) <= hi {
            *lo = raise(*lo, bit);
        }
        rest = bit - 1;
    }
    a ^ b
}

fn greatest_xor((a_lo, mut a): Bounds, (b_lo, mut b): Bounds) -> u64 {
    let mut rest = u64::MAX;
    while let Some(bit) = set_bits(a & b & rest).next() {
        if lower(a, bit) >= a_lo {
            a = lower(a, bit);
        } else if lower(b, bit) >= b_lo {
            b = lower(b, bit);
        }
        rest = bit - 1;
    }
    a ^ b
}

//! Strided intervals of unbounded integers, and how they wrap to a width.

use super::{Range, greatest, least, mask};

/// `lo`, `lo + stride`, …, `hi`. The stride is zero if that is one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub lo: i128,
    pub hi: i128,
    pub stride: u128,
}

impl Span {
    /// From `lo` as far as `limit`, which is not below it.
    pub fn new(lo: i128, limit: i128, stride: u128) -> Span {
        Span::exact(lo, limit - remainder(limit - lo, stride), stride)
    }

    /// `hi` is a member.
    pub fn exact(lo: i128, hi: i128, stride: u128) -> Span {
        Span { lo, hi, stride: if lo == hi { 0 } else { stride } }
    }

    pub fn is_constant(self) -> bool {
        self.stride == 0
    }

    pub fn shift_by(self, offset: i128) -> Span {
        Span { lo: self.lo + offset, hi: self.hi + offset, stride: self.stride }
    }

    fn is_congruent(self, number: i128) -> bool {
        if self.is_constant() { number == self.lo } else { remainder(number - self.lo, self.stride) == 0 }
    }

    /// The members from `first` to `last`.
    pub fn clip(self, first: i128, last: i128) -> Option<Span> {
        let lo = if self.lo >= first { self.lo } else { first + remainder(self.lo - first, self.stride) };
        let hi = if self.hi <= last { self.hi } else { last - remainder(last - self.hi, self.stride) };
        (lo <= hi && lo <= self.hi && hi >= self.lo).then(|| Span::exact(lo, hi, self.stride))
    }

    /// The common members.
    pub fn meet(self, other: Span) -> Option<Span> {
        let (fine, coarse) = if self.divides(other) { (self, other) } else { (other, self) };
        if fine.divides(coarse) {
            return if fine.is_congruent(coarse.lo) { coarse.clip(fine.lo, fine.hi) } else { None };
        }
        let (member, stride) = common_member(self, other)?;
        let lo = self.lo.max(other.lo);
        let first = lo + remainder(member - lo, stride);
        let last = self.hi.min(other.hi);
        (first <= last).then(|| Span::new(first, last, stride))
    }

    fn divides(self, other: Span) -> bool {
        self.stride == 1 || other.stride == 0 || self.stride != 0 && other.stride.is_multiple_of(self.stride)
    }

    /// The low `bits` bits of the members. Law: monotone.
    pub fn wrap(self, bits: u32) -> Range {
        let (least, greatest, modulus) = (i128::from(least(bits)), i128::from(greatest(bits)), 1i128 << bits);
        if least <= self.lo && self.hi <= greatest {
            return self.within(bits);
        }
        if self.hi - self.lo >= modulus {
            return self.wrap_class(bits);
        }
        let span = self.shift_by(-((self.lo - least) >> bits << bits));
        let above = span.clip(greatest + 1, span.hi).map(|above| above.shift_by(-modulus).within(bits));
        let below = span.clip(least, greatest).map(|below| below.within(bits));
        above.into_iter().chain(below).reduce(Range::join).expect("a span has members")
    }

    /// As if there were members everywhere: what is left of the stride is the power of two in it.
    fn wrap_class(self, bits: u32) -> Range {
        if self.stride.trailing_zeros() >= bits {
            return Range::constant(bits, self.lo as u64);
        }
        let (stride, first) = (1 << self.stride.trailing_zeros(), i128::from(least(bits)));
        Span::new(first + remainder(self.lo - first, stride), greatest(bits).into(), stride).within(bits)
    }

    /// For members that are signed values of so many bits.
    fn within(self, bits: u32) -> Range {
        let (low, high, stride) = (self.lo as i64, self.hi as i64, self.stride as u64);
        let (unsigned_low, unsigned_high) = if low < 0 && high >= 0 {
            let first = remainder(self.lo, self.stride);
            (first as u64, (first - self.stride as i128) as u64)
        } else {
            (low as u64, high as u64)
        };
        let mask = mask(bits);
        Range {
            low,
            high,
            unsigned_low: unsigned_low & mask,
            unsigned_high: unsigned_high & mask,
            stride,
            bits: bits as u8,
        }
    }
}

/// A number congruent to both, and what all such numbers are apart (Chinese remainder theorem). Neither is a constant.
fn common_member(a: Span, b: Span) -> Option<(i128, u128)> {
    let divisor = wide_gcd(a.stride, b.stride);
    let distance = b.lo - a.lo;
    if remainder(distance, divisor) != 0 {
        return None;
    }
    let modulus = b.stride / divisor;
    let steps = remainder(distance / divisor as i128, modulus) * inverse(a.stride / divisor, modulus);
    Some((a.lo + a.stride as i128 * remainder(steps, modulus), a.stride * modulus))
}

/// Of two numbers without a common divisor, the inverse of the first modulo the second.
fn inverse(number: u128, modulus: u128) -> i128 {
    let (mut rest, mut next) = (modulus as i128, number as i128);
    let (mut factor, mut next_factor) = (0, 1);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (factor, next_factor) = (next_factor, factor - quotient * next_factor);
    }
    remainder(factor, modulus)
}

/// Not negative; zero if `by` is.
pub fn remainder(number: i128, by: u128) -> i128 {
    if by <= 1 {
        return 0;
    }
    if let (Ok(number), Ok(by)) = (u64::try_from(number), u64::try_from(by)) {
        return (number % by).into();
    }
    number.rem_euclid(by as i128)
}

/// That of a number and zero is the number.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// That of a number and zero is the number.
pub fn wide_gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

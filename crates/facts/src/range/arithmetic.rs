//! Arithmetic of spans, as unbounded integers. Each result is the least span that contains every outcome, if not said otherwise.
//! Law of all: monotone.

use super::span::{Span, remainder, wide_gcd};

impl Span {
    pub fn negate(self) -> Span {
        Span { lo: -self.hi, hi: -self.lo, stride: self.stride }
    }

    pub fn add(self, other: Span) -> Span {
        Span::exact(self.lo + other.lo, self.hi + other.hi, wide_gcd(self.stride, other.stride))
    }

    pub fn subtract(self, other: Span) -> Span {
        self.add(other.negate())
    }

    pub fn multiply(self, other: Span) -> Span {
        let products = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        let of_left = self.stride * other.lo.unsigned_abs();
        let of_right = other.stride * self.lo.unsigned_abs();
        let stride = wide_gcd(wide_gcd(of_left, of_right), self.stride * other.stride);
        let (lo, hi) = products.into_iter().fold((products[0], products[0]), |(lo, hi), x| (lo.min(x), hi.max(x)));
        Span::exact(lo, hi, stride)
    }

    /// Toward zero; both have one sign each, the divisor is not zero. Keeps strides only of multiples of a constant divisor.
    pub fn divide(self, by: Span) -> Span {
        let quotient = divide_magnitudes(self.magnitude(), by.magnitude());
        if (self.lo < 0) == (by.lo < 0) { quotient } else { quotient.negate() }
    }

    /// With the sign of the dividend; both have one sign each, the divisor is not zero. The least span only if all quotients are
    /// the same.
    pub fn remainder(self, by: Span) -> Span {
        let rest = remainder_of_magnitudes(self.magnitude(), by.magnitude());
        if self.lo < 0 { rest.negate() } else { rest }
    }

    fn magnitude(self) -> Span {
        if self.lo < 0 { self.negate() } else { self }
    }

    pub fn without_zero(self) -> Option<Span> {
        if self.lo == 0 { self.clip(1, self.hi) } else { Some(self) }
    }

    /// By amounts from 0 to 63.
    pub fn shift_left(self, amounts: Span) -> Span {
        let (lo_amount, hi_amount) = if self.lo < 0 { (amounts.hi, amounts.lo) } else { (amounts.lo, amounts.hi) };
        let by_amounts = self.lo.unsigned_abs() * ((1 << amounts.stride) - 1);
        let stride = wide_gcd(self.stride, by_amounts) << amounts.lo;
        Span::exact(self.lo << lo_amount, self.hi << hi_amount, stride)
    }

    /// By amounts from 0 to 63, toward negative infinity. Keeps strides only of multiples of a constant power of two.
    pub fn shift_right(self, amounts: Span) -> Span {
        let (lo_amount, hi_amount) = if self.lo < 0 { (amounts.lo, amounts.hi) } else { (amounts.hi, amounts.lo) };
        let keeps = amounts.is_constant() && i128::from(self.stride.trailing_zeros()) >= amounts.lo;
        let stride = if keeps { self.stride >> amounts.lo } else { 1 };
        Span::exact(self.lo >> lo_amount, self.hi >> hi_amount, stride)
    }
}

fn divide_magnitudes(a: Span, b: Span) -> Span {
    let keeps = b.is_constant() && a.stride.is_multiple_of(b.lo as u128);
    let stride = if keeps { a.stride / b.lo as u128 } else { 1 };
    Span::exact(a.lo / b.hi, a.hi / b.lo, stride)
}

fn remainder_of_magnitudes(a: Span, b: Span) -> Span {
    if a.hi < b.lo {
        return a;
    }
    let quotient = a.lo / b.lo;
    if b.is_constant() && quotient == a.hi / b.lo {
        return a.shift_by(-quotient * b.lo);
    }
    let stride = wide_gcd(wide_gcd(a.stride, b.stride), b.lo as u128);
    Span::new(remainder(a.lo, stride), a.hi.min(b.hi - 1), stride)
}

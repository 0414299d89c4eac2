//! Numbers as vectors of Boolean functions, the lowest bit first. A bit without a function may be either, whatever else is true;
//! where operators cannot say more they give such bits.

use super::diagram::{Diagrams, Function};
use crate::numbers::Made;

pub type Bit = Option<Function>;
pub type Bits = Vec<Bit>;

impl Diagrams {
    pub fn bit(&self, truth: bool) -> Bit {
        Some(self.constant(truth))
    }

    /// What a bit is, if it is the same for all valuations.
    pub fn known_bit(&self, bit: &Bit) -> Option<bool> {
        let function = bit.as_ref()?;
        self.is_constant(function).then(|| *function == self.yes)
    }

    pub fn number(&self, value: u128, width: usize) -> Bits {
        (0..width).map(|i| self.bit(i < 128 && value >> i & 1 != 0)).collect()
    }

    pub fn known_number(&self, bits: &[Bit]) -> Option<u128> {
        let known = bits.iter().enumerate().map(|(i, bit)| Some(u128::from(self.known_bit(bit)?) << i));
        known.sum()
    }

    /// A value that a number has in some valuation of a set; `None` if a bit may be either.
    pub fn some_value(&self, set: &Function, bits: &[Bit]) -> Option<u128> {
        let valuation = self.some_valuation(set)?;
        let value = |(i, bit): (usize, &Bit)| Some(u128::from(self.is_true(bit.as_ref()?, &valuation)) << i);
        bits.iter().enumerate().map(value).sum()
    }

    /// The one value of a number, if all valuations agree.
    pub fn only_value(&self, set: &Function, bits: &[Bit]) -> Made<Option<u64>> {
        if let Some(value) = self.known_number(bits) {
            return Ok(u64::try_from(value).ok());
        }
        let Some(some) = self.some_value(set, bits) else { return Ok(None) };
        let mut fits = self.yes.clone();
        for (i, bit) in bits.iter().enumerate() {
            let Some(f) = bit else { return Ok(None) };
            let wanted = if some >> i & 1 != 0 { f.clone() } else { self.not(f)? };
            fits = self.and(&fits, &wanted)?;
            if self.is_large(&fits) {
                if !self.is_subset(set, &fits)? {
                    return Ok(None);
                }
                fits = self.yes.clone();
            }
        }
        let is_only = self.is_subset(set, &fits)?;
        Ok(u64::try_from(some).ok().filter(|_| is_only))
    }

    pub fn bit_not(&self, a: &Bit) -> Made<Bit> {
        a.as_ref().map(|a| self.not(a)).transpose()
    }

    pub fn bit_and(&self, a: &Bit, b: &Bit) -> Made<Bit> {
        match (a, b) {
            (Some(a), Some(b)) => Ok(Some(self.and(a, b)?)),
            (Some(known), None) | (None, Some(known)) if *known == self.no => Ok(Some(known.clone())),
            _ => Ok(None),
        }
    }

    pub fn bit_or(&self, a: &Bit, b: &Bit) -> Made<Bit> {
        match (a, b) {
            (Some(a), Some(b)) => Ok(Some(self.or(a, b)?)),
            (Some(known), None) | (None, Some(known)) if *known == self.yes => Ok(Some(known.clone())),
            _ => Ok(None),
        }
    }

    pub fn bit_xor(&self, a: &Bit, b: &Bit) -> Made<Bit> {
        a.as_ref().zip(b.as_ref()).map(|(a, b)| self.xor(a, b)).transpose()
    }

    pub fn bit_choose(&self, condition: &Bit, a: &Bit, b: &Bit) -> Made<Bit> {
        if a.is_some() && a == b {
            return Ok(a.clone());
        }
        match (self.known_bit(condition), condition, a, b) {
            (Some(truth), ..) => Ok(if truth { a.clone() } else { b.clone() }),
            (None, Some(condition), Some(a), Some(b)) => Ok(Some(self.choose(condition, a, b)?)),
            _ => Ok(None),
        }
    }

    /// At least two of three.
    fn majority(&self, a: &Bit, b: &Bit, c: &Bit) -> Made<Bit> {
        match (a, b, c) {
            (Some(_), Some(_), Some(_)) => {
                let either = self.bit_or(a, b)?;
                let both = self.bit_and(a, b)?;
                self.bit_choose(c, &either, &both)
            }
            (Some(x), Some(y), None) | (Some(x), None, Some(y)) | (None, Some(x), Some(y)) if x == y => {
                Ok(Some(x.clone()))
            }
            _ => Ok(None),
        }
    }

    pub fn each(&self, a: &[Bit], b: &[Bit], op: impl Fn(&Bit, &Bit) -> Made<Bit>) -> Made<Bits> {
        a.iter().zip(b).map(|(a, b)| op(a, b)).collect()
    }

    pub fn complement(&self, a: &[Bit]) -> Made<Bits> {
        a.iter().map(|bit| self.bit_not(bit)).collect()
    }

    pub fn choose_bits(&self, condition: &Bit, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        self.each(a, b, |a, b| self.bit_choose(condition, a, b))
    }

    /// To a width: cut, or filled up with this bit.
    pub fn resized(&self, bits: &[Bit], width: usize, fill: Bit) -> Bits {
        bits.iter().cloned().chain(std::iter::repeat(fill)).take(width).collect()
    }

    pub fn zero_extended(&self, bits: &[Bit], width: usize) -> Bits {
        self.resized(bits, width, self.bit(false))
    }

    pub fn sign_extended(&self, bits: &[Bit], width: usize) -> Bits {
        // A bit that may be either is not the same in all its copies' places; that is only less exact.
        self.resized(bits, width, bits.last().cloned().flatten())
    }

    /// The sum with a carry into it.
    pub fn add(&self, a: &[Bit], b: &[Bit], carry: bool) -> Made<Bits> {
        let mut carry = self.bit(carry);
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let half = self.bit_xor(a, b)?;
            sum.push(self.bit_xor(&half, &carry)?);
            carry = self.majority(a, b, &carry)?;
        }
        Ok(sum)
    }

    pub fn subtract(&self, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        self.add(a, &self.complement(b)?, true)
    }

    pub fn negate(&self, a: &[Bit]) -> Made<Bits> {
        self.subtract(&self.number(0, a.len()), a)
    }

    pub fn is_equal(&self, a: &[Bit], b: &[Bit]) -> Made<Bit> {
        let mut equal = self.bit(true);
        // Low bits are low in the order: what was made so far stays as it is.
        for (a, b) in a.iter().zip(b) {
            let differ = self.bit_xor(a, b)?;
            equal = self.bit_and(&equal, &self.bit_not(&differ)?)?;
        }
        Ok(equal)
    }

    pub fn is_zero(&self, a: &[Bit]) -> Made<Bit> {
        self.is_equal(a, &self.number(0, a.len()))
    }

    /// Unsigned; `or_equal` is the answer for equal numbers.
    pub fn is_below(&self, a: &[Bit], b: &[Bit], or_equal: bool) -> Made<Bit> {
        let mut below = self.bit(or_equal);
        for (a, b) in a.iter().zip(b) {
            let differ = self.bit_xor(a, b)?;
            below = self.bit_choose(&differ, b, &below)?;
        }
        Ok(below)
    }

    /// Signed.
    pub fn is_less(&self, a: &[Bit], b: &[Bit], or_equal: bool) -> Made<Bit> {
        self.is_below(&self.flipped(a)?, &self.flipped(b)?, or_equal)
    }

    /// With the other sign bit: signed order becomes unsigned order.
    fn flipped(&self, a: &[Bit]) -> Made<Bits> {
        let mut flipped = a.to_vec();
        if let Some(sign) = flipped.last_mut() {
            *sign = self.bit_not(sign)?;
        }
        Ok(flipped)
    }

    /// Shifted up by a known amount.
    pub fn moved_up(&self, a: &[Bit], amount: usize) -> Bits {
        let zeros = std::iter::repeat_n(self.bit(false), amount.min(a.len()));
        zeros.chain(a.iter().cloned()).take(a.len()).collect()
    }

    /// Shifted down by a known amount.
    pub fn moved_down(&self, a: &[Bit], amount: usize, fill: &Bit) -> Bits {
        let kept = a.iter().skip(amount).cloned();
        kept.chain(std::iter::repeat(fill.clone())).take(a.len()).collect()
    }

    /// A shift by an amount below the width.
    pub fn shifted(&self, a: &[Bit], amount: &[Bit], shift: impl Fn(&[Bit], usize) -> Bits) -> Made<Bits> {
        let mut result = a.to_vec();
        for (i, bit) in amount.iter().enumerate().take_while(|(i, _)| *i < 32 && 1 << i < a.len()) {
            let moved = shift(&result, 1 << i);
            result = self.choose_bits(bit, &moved, &result)?;
        }
        Ok(result)
    }

    /// The low bits of a product.
    pub fn multiply(&self, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let mut sum = self.number(0, a.len());
        for (i, bit) in b.iter().enumerate() {
            if self.known_bit(bit) == Some(false) {
                continue;
            }
            let moved: Bits = self.moved_up(a, i).iter().map(|a| self.bit_and(a, bit)).collect::<Made<_>>()?;
            sum = self.add(&sum, &moved, false)?;
        }
        Ok(sum)
    }

    /// Quotient and remainder of unsigned numbers, the divisor not zero.
    pub fn divide(&self, a: &[Bit], b: &[Bit]) -> Made<(Bits, Bits)> {
        let width = a.len();
        // One bit more, so that the remainder can be doubled.
        let divisor = self.zero_extended(b, width + 1);
        let mut rest = self.number(0, width + 1);
        let mut quotient = self.number(0, width);
        for i in (0..width).rev() {
            rest = self.moved_up(&rest, 1);
            rest[0] = a[i].clone();
            let fits = self.is_below(&divisor, &rest, true)?;
            let less = self.subtract(&rest, &divisor)?;
            rest = self.choose_bits(&fits, &less, &rest)?;
            quotient[i] = fits;
        }
        rest.truncate(width);
        Ok((quotient, rest))
    }

    /// Of signed numbers, toward zero.
    pub fn divide_signed(&self, a: &[Bit], b: &[Bit]) -> Made<(Bits, Bits)> {
        let (minus_a, minus_b) = (a.last().cloned().flatten(), b.last().cloned().flatten());
        let (quotient, rest) = self.divide(&self.magnitude(a)?, &self.magnitude(b)?)?;
        let differ = self.bit_xor(&minus_a, &minus_b)?;
        let quotient = self.choose_bits(&differ, &self.negate(&quotient)?, &quotient)?;
        let rest = self.choose_bits(&minus_a, &self.negate(&rest)?, &rest)?;
        Ok((quotient, rest))
    }

    fn magnitude(&self, a: &[Bit]) -> Made<Bits> {
        let sign = a.last().cloned().flatten();
        self.choose_bits(&sign, &self.negate(a)?, a)
    }

    /// How many bits are set.
    pub fn count(&self, a: &[Bit]) -> Made<Bits> {
        let mut sum = self.number(0, a.len());
        for bit in a {
            sum = self.add(&sum, &self.zero_extended(std::slice::from_ref(bit), a.len()), false)?;
        }
        Ok(sum)
    }

    /// How many bits come before the first that is set.
    pub fn zeros_before<'b>(&self, a: impl DoubleEndedIterator<Item = &'b Bit>, width: usize) -> Made<Bits> {
        let mut zeros = self.number(width as u128, width);
        let all: Vec<&Bit> = a.collect();
        for (i, bit) in all.into_iter().enumerate().rev() {
            zeros = self.choose_bits(bit, &self.number(i as u128, width), &zeros)?;
        }
        Ok(zeros)
    }
}

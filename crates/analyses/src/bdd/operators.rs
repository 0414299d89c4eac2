//! Operators on numbers as vectors of Boolean functions: adders, shifters, dividers. The meaning is that of [`semantics::ops`].

use program::{BinaryOp, UnaryOp};

use super::bits::{Bit, Bits};
use super::diagram::{Diagrams, Function};
use crate::numbers::{Made, Outcome};

/// Products and quotients of numbers with more unknown bits than this together may be anything.
const MOST_UNKNOWN: usize = 16;
/// A factor with at most so many bits set is only so many sums.
const MOST_SUMS: usize = 4;
/// Division by a constant up to this is a small automaton that reads the bits from the top.
const LARGEST_DIVISOR: u128 = 64;

/// One operator, applied in a set of valuations.
pub(super) struct Operator<'a> {
    diagrams: &'a Diagrams,
    /// Only these valuations matter.
    set: &'a Function,
    /// Where there is no value.
    pub fault: Bit,
    /// Where a signed operation leaves its range.
    pub overflow: Bit,
}

impl<'a> Operator<'a> {
    pub fn new(diagrams: &'a Diagrams, set: &'a Function) -> Self {
        Operator { diagrams, set, fault: diagrams.bit(false), overflow: diagrams.bit(false) }
    }

    /// With the conditions under which there is no value, or none in range.
    pub fn outcome(self, value: Bits) -> Outcome<Bits> {
        let perhaps = |bit: Bit| (bit != self.diagrams.bit(false)).then(|| vec![bit]);
        Outcome { value, fault: perhaps(self.fault.clone()), overflow: perhaps(self.overflow.clone()) }
    }

    fn unknown(width: usize) -> Bits {
        vec![None; width]
    }

    pub fn unary(&mut self, op: UnaryOp, a: &[Bit]) -> Made<Bits> {
        let diagrams = self.diagrams;
        match op {
            UnaryOp::Neg => diagrams.negate(a),
            UnaryOp::SNeg => {
                let least = diagrams.is_equal(a, &diagrams.number(1 << (a.len() - 1), a.len()))?;
                let result = diagrams.negate(a)?;
                self.overflow = least;
                Ok(result)
            }
            UnaryOp::Not => diagrams.complement(a),
            UnaryOp::LeadingZeros => diagrams.zeros_before(a.iter().rev(), a.len()),
            UnaryOp::TrailingZeros => diagrams.zeros_before(a.iter(), a.len()),
            UnaryOp::PopCount => diagrams.count(a),
            UnaryOp::ByteSwap => Ok(a.chunks(8).rev().flatten().cloned().collect()),
            UnaryOp::FNeg | UnaryOp::FAbs | UnaryOp::FSqrt => Ok(Self::unknown(a.len())),
            UnaryOp::FFloor | UnaryOp::FCeil | UnaryOp::FTrunc | UnaryOp::FRound => Ok(Self::unknown(a.len())),
            UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit => Ok(Self::unknown(1)),
        }
    }

    pub fn binary(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        use BinaryOp::*;
        let diagrams = self.diagrams;
        let one = |bit: Made<Bit>| bit.map(|bit| vec![bit]);
        match op {
            Add | PtrAdd => diagrams.add(a, b, false),
            Sub | PtrDiff => diagrams.subtract(a, b),
            SAdd | SSub => self.signed_sum(op, a, b),
            Mul | SMul | Scale => self.product(op, a, b),
            UDiv | SDiv | URem | SRem => self.quotient(op, a, b),
            And => diagrams.each(a, b, |a, b| diagrams.bit_and(a, b)),
            Or => diagrams.each(a, b, |a, b| diagrams.bit_or(a, b)),
            Xor => diagrams.each(a, b, |a, b| diagrams.bit_xor(a, b)),
            Shl | LShr | AShr => self.shift(op, a, b),
            Eq => one(diagrams.is_equal(a, b)),
            ULt | PtrLt => one(diagrams.is_below(a, b, false)),
            ULe | PtrLe => one(diagrams.is_below(a, b, true)),
            SLt => one(diagrams.is_less(a, b, false)),
            SLe => one(diagrams.is_less(a, b, true)),
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign => Ok(Self::unknown(a.len())),
            FLt | FLe => Ok(Self::unknown(1)),
        }
    }

    fn signed_sum(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let diagrams = self.diagrams;
        let top = a.len() - 1;
        let (sum, other) = match op {
            BinaryOp::SSub => (diagrams.subtract(a, b)?, diagrams.bit_not(&b[top])?),
            _ => (diagrams.add(a, b, false)?, b[top].clone()),
        };
        // The operands have one sign and the sum has the other.
        let turned = diagrams.bit_xor(&sum[top], &a[top])?;
        let alike = diagrams.bit_not(&diagrams.bit_xor(&a[top], &other)?)?;
        let overflow = diagrams.bit_and(&turned, &alike)?;
        self.overflow = overflow;
        Ok(sum)
    }

    /// Bits that are the same in all valuations become constants.
    fn narrowed(&self, bits: &[Bit]) -> Made<Bits> {
        let diagrams = self.diagrams;
        if let Some(value) = self.diagrams.only_value(self.set, bits)? {
            return Ok(diagrams.number(value.into(), bits.len()));
        }
        let narrow = |bit: &Bit| match bit {
            Some(f) if diagrams.is_constant(f) => Ok(bit.clone()),
            Some(f) if diagrams.is_disjoint(self.set, f)? => Ok(diagrams.bit(false)),
            Some(f) if diagrams.is_subset(self.set, f)? => Ok(diagrams.bit(true)),
            _ => Ok(bit.clone()),
        };
        bits.iter().map(narrow).collect()
    }

    fn unknown_bits(&self, bits: &[Bit]) -> usize {
        bits.iter().filter(|bit| self.diagrams.known_bit(bit).is_none()).count()
    }

    fn product(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let width = a.len();
        let (mut a, mut b) = (self.narrowed(a)?, self.narrowed(b)?);
        if self.unknown_bits(&a) < self.unknown_bits(&b) {
            std::mem::swap(&mut a, &mut b);
        }
        let (in_a, in_b) = (self.unknown_bits(&a), self.unknown_bits(&b));
        let sums = self.diagrams.known_number(&b).map(|factor| factor.count_ones() as usize);
        let is_small = in_a + in_b <= MOST_UNKNOWN || sums.is_some_and(|sums| sums <= MOST_SUMS);
        let diagrams = self.diagrams;
        let (result, inexact) = if !is_small {
            (Self::unknown(width), None)
        } else if op == BinaryOp::Mul {
            (diagrams.multiply(&a, &b)?, None)
        } else {
            let exact =
                diagrams.multiply(&diagrams.sign_extended(&a, 2 * width), &diagrams.sign_extended(&b, 2 * width))?;
            // It fits if all bits from the sign on are the same.
            let mut inexact = diagrams.bit(false);
            for bit in &exact[width..] {
                let differs = diagrams.bit_xor(bit, &exact[width - 1])?;
                inexact = diagrams.bit_or(&inexact, &differs)?;
            }
            (exact[..width].to_vec(), inexact)
        };
        match op {
            BinaryOp::SMul => self.overflow = inexact,
            BinaryOp::Scale => self.fault = inexact,
            _ => {}
        }
        Ok(result)
    }

    fn quotient(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let (a, b) = (self.narrowed(a)?, self.narrowed(b)?);
        let zero = self.diagrams.is_zero(&b)?;
        self.fault = zero;
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if is_signed {
            let diagrams = self.diagrams;
            let least = diagrams.is_equal(&a, &diagrams.number(1 << (a.len() - 1), a.len()))?;
            let minus_one = diagrams.is_equal(&b, &diagrams.number(u128::MAX, b.len()))?;
            let overflow = diagrams.bit_and(&least, &minus_one)?;
            self.overflow = overflow;
        }
        let divisor = self.diagrams.known_number(&b);
        let is_small = self.unknown_bits(&a) + self.unknown_bits(&b) <= MOST_UNKNOWN
            || divisor.is_some_and(|divisor| divisor <= LARGEST_DIVISOR);
        let diagrams = self.diagrams;
        if !is_small {
            return Ok(Self::unknown(a.len()));
        }
        let (quotient, rest) = match is_signed {
            true => diagrams.divide_signed(&a, &b)?,
            false => diagrams.divide(&a, &b)?,
        };
        Ok(if matches!(op, BinaryOp::UDiv | BinaryOp::SDiv) { quotient } else { rest })
    }

    fn shift(&mut self, op: BinaryOp, a: &[Bit], amount: &[Bit]) -> Made<Bits> {
        let amount = self.narrowed(amount)?;
        let diagrams = self.diagrams;
        // Wide enough for the width itself.
        let wide = diagrams.zero_extended(&amount, amount.len().max(9));
        let fits = diagrams.is_below(&wide, &diagrams.number(a.len() as u128, wide.len()), false)?;
        let too_far = diagrams.bit_not(&fits)?;
        let sign = a.last().cloned().flatten();
        let result = match op {
            BinaryOp::Shl => diagrams.shifted(a, &amount, |a, n| diagrams.moved_up(a, n)),
            BinaryOp::LShr => diagrams.shifted(a, &amount, |a, n| diagrams.moved_down(a, n, &diagrams.bit(false))),
            _ => diagrams.shifted(a, &amount, |a, n| diagrams.moved_down(a, n, &sign)),
        }?;
        self.fault = too_far;
        Ok(result)
    }
}

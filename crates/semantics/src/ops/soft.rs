//! x87 extended and quad precision in software. What the front end's constant arithmetic lacks is done on significands:
//! roots, remainders and rounding to whole numbers are exact or correctly rounded there.

use std::cmp::Ordering;

use base::float::{self, FloatKind as Format, FloatOp};
use program::{BinaryOp, FloatKind, UnaryOp};

use super::float::{Layout, Number, is_nan, is_negative, is_signaling, unpack};
use super::truncate;

fn format(kind: FloatKind) -> Format {
    match kind {
        FloatKind::F32 => Format::Float,
        FloatKind::F64 => Format::Double,
        FloatKind::X87In12 | FloatKind::X87In16 => Format::LongDouble,
        FloatKind::F128 => Format::Float128,
    }
}

pub fn unary(op: UnaryOp, kind: FloatKind, a: u128) -> u128 {
    match unpack(kind, a) {
        Number::Finite { significand: 0, .. } => a,
        Number::Finite { significand, exponent } if op == UnaryOp::FSqrt => {
            if is_negative(kind, a) {
                return Layout::of(kind).default_nan();
            }
            root(kind, significand, exponent)
        }
        Number::Infinite if op == UnaryOp::FSqrt && is_negative(kind, a) => Layout::of(kind).default_nan(),
        Number::Finite { significand, exponent } if exponent < 0 => {
            let negative = is_negative(kind, a);
            Layout::of(kind).pack(negative, whole(op, negative, significand, exponent.unsigned_abs()), 0)
        }
        Number::Finite { .. } | Number::Infinite | Number::Nan => a,
    }
}

/// `significand / 2^shift`, rounded to a whole number as `op` says.
fn whole(op: UnaryOp, negative: bool, significand: u128, shift: u32) -> u128 {
    // A value this small is below one half whatever its exact exponent: significands have at most 113 bits.
    let shift = shift.min(120);
    let below = significand >> shift;
    let rest = truncate(significand, shift);
    let up = match op {
        UnaryOp::FFloor => negative && rest != 0,
        UnaryOp::FCeil => !negative && rest != 0,
        UnaryOp::FTrunc => false,
        UnaryOp::FRound => rest >= 1 << (shift - 1),
        _ => unreachable!("{op:?} is no arithmetic on floats"),
    };
    below + u128::from(up)
}

/// The square root, digit by digit, of a positive value, with one bit more than the format holds, then rounded to even.
fn root(kind: FloatKind, significand: u128, exponent: i32) -> u128 {
    let layout = Layout::of(kind);
    let mut exponent = exponent + 128 - significand.leading_zeros() as i32;
    let mut radicand = significand << significand.leading_zeros();
    // Now a fraction below one, times a power of two that must be even.
    if exponent % 2 != 0 {
        radicand >>= 1;
        exponent += 1;
    }
    let digits = layout.fraction_bits + 2;
    let (mut root, mut rest) = (0u128, 0u128);
    for _ in 0..digits {
        rest = rest << 2 | radicand >> 126;
        radicand <<= 2;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    // A root is never the midpoint of two neighbours, so the last digit decides.
    let rounded = (root >> 1) + (root & 1);
    layout.pack(false, rounded, exponent / 2 + 1 - digits as i32)
}

pub fn binary(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    let op = match op {
        BinaryOp::FAdd => FloatOp::Add,
        BinaryOp::FSub => FloatOp::Sub,
        BinaryOp::FMul => FloatOp::Mul,
        BinaryOp::FDiv => FloatOp::Div,
        BinaryOp::FRem => return remainder(kind, a, b),
        _ => panic!("{op:?} on floats"),
    };
    let result = float::binary(format(kind), op, a, b);
    if is_nan(kind, result) { Layout::of(kind).default_nan() } else { result }
}

/// C's `fmod`, which is exact: long division that keeps only the remainder.
fn remainder(kind: FloatKind, a: u128, b: u128) -> u128 {
    let layout = Layout::of(kind);
    let (Number::Finite { significand, exponent }, divisor) = (unpack(kind, a), unpack(kind, b)) else {
        return layout.default_nan();
    };
    let Number::Finite { significand: divisor, exponent: divisor_exponent } = divisor else { return a };
    if divisor == 0 {
        return layout.default_nan();
    }
    let common = exponent.min(divisor_exponent);
    let Some(divisor) = scaled(divisor, divisor_exponent - common) else { return a };
    let mut rest = significand % divisor;
    for _ in common..exponent {
        rest <<= 1;
        if rest >= divisor {
            rest -= divisor;
        }
    }
    layout.pack(is_negative(kind, a), rest, common)
}

/// `None` if the result is above every significand.
fn scaled(significand: u128, shift: i32) -> Option<u128> {
    let shift = shift as u32;
    (shift < significand.leading_zeros()).then(|| significand << shift)
}

pub fn compare(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> bool {
    // The front end knows nothing of encodings that the hardware refuses.
    if is_nan(kind, a) || is_nan(kind, b) {
        return false;
    }
    let order = float::compare(format(kind), a, b);
    match op {
        BinaryOp::Eq => order == Some(Ordering::Equal),
        BinaryOp::FLt => order == Some(Ordering::Less),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}

/// Of two NaNs: the quiet one before the signaling one on x87, then the greater significand; between equal ones x87 takes the
/// positive, and the library for quad precision the first of a sum or product and the second otherwise.
pub fn first_nan_wins(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> bool {
    let significand_bits = if kind == FloatKind::F128 { 112 } else { 64 };
    let order = truncate(a, significand_bits).cmp(&truncate(b, significand_bits));
    if kind != FloatKind::F128 && is_signaling(kind, a) != is_signaling(kind, b) {
        return is_signaling(kind, b);
    }
    match order {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal if kind == FloatKind::F128 => matches!(op, BinaryOp::FAdd | BinaryOp::FMul),
        Ordering::Equal => !is_negative(kind, a),
    }
}

pub fn from_signed(kind: FloatKind, value: i128) -> u128 {
    float::from_signed(format(kind), value)
}

pub fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    float::from_unsigned(format(kind), value)
}

/// Not of a NaN.
pub fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    float::convert(format(from), format(to), a)
}

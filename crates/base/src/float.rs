//! Floating arithmetic on representations, bit for bit as the target does it: IEEE single, double and quad,
//! and the x87 extended format.

use std::cmp::Ordering;

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The formats of floating numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    Float,
    Double,
    /// x87 extended precision.
    LongDouble,
    Float128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
}

/// Runs `$body` with `$F` standing for the format of `$kind`.
macro_rules! with_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// Reads a C floating constant, suffix removed, decimal or hexadecimal.
pub fn parse(kind: FloatKind, text: &str) -> Option<u128> {
    let text = text.replace('\'', "");
    with_format!(kind, F => F::from_str_r(&text, Round::NearestTiesToEven).ok().map(|f| f.value.to_bits()))
}

pub fn binary(kind: FloatKind, op: FloatOp, a: u128, b: u128) -> u128 {
    with_format!(kind, F => {
        let (a, b) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
        };
        result.value.to_bits()
    })
}

pub fn negate(kind: FloatKind, a: u128) -> u128 {
    with_format!(kind, F => (-F::from_bits(a)).to_bits())
}

pub fn absolute(kind: FloatKind, a: u128) -> u128 {
    with_format!(kind, F => F::from_bits(a).abs().to_bits())
}

pub fn copy_sign(kind: FloatKind, a: u128, b: u128) -> u128 {
    with_format!(kind, F => F::from_bits(a).copy_sign(F::from_bits(b)).to_bits())
}

/// `None` if either is a NaN.
pub fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

pub fn is_zero(kind: FloatKind, a: u128) -> bool {
    with_format!(kind, F => F::from_bits(a).is_zero())
}

pub fn is_nan(kind: FloatKind, a: u128) -> bool {
    with_format!(kind, F => F::from_bits(a).is_nan())
}

pub fn is_infinite(kind: FloatKind, a: u128) -> bool {
    with_format!(kind, F => F::from_bits(a).is_infinite())
}

pub fn is_normal(kind: FloatKind, a: u128) -> bool {
    with_format!(kind, F => F::from_bits(a).is_normal())
}

pub fn is_negative(kind: FloatKind, a: u128) -> bool {
    with_format!(kind, F => F::from_bits(a).is_negative())
}

pub fn infinity(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::INFINITY.to_bits())
}

pub fn quiet_nan(kind: FloatKind) -> u128 {
    with_format!(kind, F => F::qnan(None).to_bits())
}

pub fn from_signed(kind: FloatKind, value: i128) -> u128 {
    with_format!(kind, F => F::from_i128(value).value.to_bits())
}

pub fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    with_format!(kind, F => F::from_u128(value).value.to_bits())
}

/// Towards zero; out of range values saturate, as GCC folds them.
pub fn to_integer(kind: FloatKind, a: u128, bits: u32, signed: bool) -> u128 {
    let mut exact = false;
    let width = bits as usize;
    let value = with_format!(kind, F => {
        let value = F::from_bits(a);
        if value.is_nan() {
            0
        } else if signed {
            value.to_i128_r(width, Round::TowardZero, &mut exact).value as u128
        } else {
            value.to_u128_r(width, Round::TowardZero, &mut exact).value
        }
    });
    truncate(value, bits)
}

pub fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    if from == to {
        return a;
    }
    with_format!(from, F => with_format!(to, T => converted::<F, T>(F::from_bits(a))))
}

fn converted<F: FloatConvert<T>, T: Float>(value: F) -> u128 {
    let mut loses_info = false;
    value.convert(&mut loses_info).value.to_bits()
}

fn truncate(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1u128 << bits) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_read_as_the_compiler_does() {
        assert_eq!(parse(FloatKind::Double, "0.1"), Some(u128::from(0.1f64.to_bits())));
        assert_eq!(parse(FloatKind::Float, "1e-3"), Some(u128::from(1e-3f32.to_bits())));
        assert_eq!(parse(FloatKind::Double, "0x1.8p3"), Some(u128::from(12f64.to_bits())));
        assert_eq!(parse(FloatKind::Double, ".5"), Some(u128::from(0.5f64.to_bits())));
        assert_eq!(parse(FloatKind::Double, "3."), Some(u128::from(3f64.to_bits())));
        assert_eq!(parse(FloatKind::LongDouble, "1"), Some(0x3fff_8000_0000_0000_0000));
    }

    #[test]
    fn conversions_truncate_and_saturate() {
        let value = parse(FloatKind::Double, "-3.9").unwrap();
        assert_eq!(to_integer(FloatKind::Double, value, 32, true), 0xffff_fffd);
        let big = parse(FloatKind::Double, "1e30").unwrap();
        assert_eq!(to_integer(FloatKind::Double, big, 32, true), 0x7fff_ffff);
        let third = binary(FloatKind::Double, FloatOp::Div, u128::from(1f64.to_bits()), u128::from(3f64.to_bits()));
        assert_eq!(third, u128::from((1f64 / 3f64).to_bits()));
    }
}

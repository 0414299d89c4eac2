//! Floating conversions.

use program::{Cast, FloatKind, Scalar};

use super::Field;
use super::decimal::Decimal;
use super::directive::{Case, Directive, Notation, Style};
use super::integer::{base_prefix, sign};
use crate::ops::{self, Number, unpack};

pub fn field(directive: &Directive, style: Style, kind: FloatKind, bits: u128) -> Field {
    let negative = bits >> (Scalar::Float(kind).bits() - 1) != 0;
    let mut prefix = sign(directive.flags, negative).to_vec();
    let (mut body, zero_pads) = match unpack(kind, bits) {
        Number::Nan => (b"nan".to_vec(), false),
        Number::Infinite => (b"inf".to_vec(), false),
        Number::Finite { .. } if style.notation == Notation::Hexadecimal => {
            prefix.extend(base_prefix(style.case, b'x'));
            (hexadecimal(directive, kind, bits), true)
        }
        Number::Finite { significand, exponent } => {
            (decimal(directive, style.notation, Decimal::new(significand, exponent)), true)
        }
    };
    if style.case == Case::Upper {
        body.make_ascii_uppercase();
    }
    Field { prefix, body, zero_pads }
}

fn decimal(directive: &Directive, notation: Notation, mut value: Decimal) -> Vec<u8> {
    let precision = directive.precision.unwrap_or(6);
    let alternate = directive.flags.alternate;
    match notation {
        Notation::Fixed => {
            value.round(-(precision as i64));
            let mut text = fixed(&value, precision);
            end_fraction(&mut text, precision, alternate);
            text
        }
        Notation::Exponent => {
            value.round(i64::from(value.exponent()) - precision as i64);
            let mut text = scientific(&value, precision);
            end_fraction(&mut text, precision, alternate);
            append_exponent(&mut text, b'e', value.exponent(), 2);
            text
        }
        Notation::General | Notation::Hexadecimal => general(&mut value, precision.max(1), alternate),
    }
}

/// `%g`: the shorter of the two others, without the zeros at the end.
fn general(value: &mut Decimal, digits: usize, alternate: bool) -> Vec<u8> {
    value.round(i64::from(value.exponent()) - digits as i64 + 1);
    let exponent = value.exponent();
    let in_fixed_range = exponent >= -4 && i64::from(exponent) < digits as i64;
    let fraction = if in_fixed_range { (digits as i64 - 1 - i64::from(exponent)) as usize } else { digits - 1 };
    let mut text = if in_fixed_range { fixed(value, fraction) } else { scientific(value, fraction) };
    if alternate {
        end_fraction(&mut text, fraction, alternate);
    } else {
        strip_zeros(&mut text);
    }
    if !in_fixed_range {
        append_exponent(&mut text, b'e', exponent, 2);
    }
    text
}

/// Always with the point.
fn fixed(value: &Decimal, precision: usize) -> Vec<u8> {
    let mut text: Vec<u8> = (0..=value.exponent().max(0)).rev().map(|power| value.digit(power.into())).collect();
    text.push(b'.');
    text.extend((1..=precision as i64).map(|power| value.digit(-power)));
    text
}

/// Always with the point, never with the exponent.
fn scientific(value: &Decimal, precision: usize) -> Vec<u8> {
    let first = i64::from(value.exponent());
    let mut text = vec![value.digit(first), b'.'];
    text.extend((1..=precision as i64).map(|place| value.digit(first - place)));
    text
}

/// Drops a point that nothing follows.
fn end_fraction(text: &mut Vec<u8>, precision: usize, alternate: bool) {
    if precision == 0 && !alternate {
        text.pop();
    }
}

/// Drops the zeros that end a fraction, and the point if nothing is left of it.
fn strip_zeros(text: &mut Vec<u8>) {
    while text.last() == Some(&b'0') {
        text.pop();
    }
    if text.last() == Some(&b'.') {
        text.pop();
    }
}

fn append_exponent(text: &mut Vec<u8>, letter: u8, exponent: i32, least_digits: usize) {
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push(letter);
    text.extend(format!("{sign}{:0least_digits$}", exponent.unsigned_abs()).into_bytes());
}

/// `%a`, without the prefix: one digit, which for x87 has four bits of the significand and else one, then whole digits.
fn hexadecimal(directive: &Directive, kind: FloatKind, bits: u128) -> Vec<u8> {
    let (kind, bits) = whole_digits(kind, bits);
    let Number::Finite { mut significand, exponent } = unpack(kind, bits) else { return Vec::new() };
    let fraction_digits: usize = match kind {
        FloatKind::F32 | FloatKind::F64 => 13,
        FloatKind::X87In12 | FloatKind::X87In16 => 15,
        FloatKind::F128 => 28,
    };
    let mut exponent = if significand == 0 { 0 } else { exponent + 4 * fraction_digits as i32 };
    let shown = directive.precision.unwrap_or(fraction_digits).min(fraction_digits);
    significand = shift_right_to_even(significand, 4 * (fraction_digits - shown) as u32);
    if significand >> (4 * shown) > 0xf {
        significand >>= 4;
        exponent += 4;
    }
    let mut text = format!("{significand:0digits$x}", digits = shown + 1).into_bytes();
    text.insert(1, b'.');
    match directive.precision {
        Some(precision) => {
            text.resize(2 + precision, b'0');
            end_fraction(&mut text, precision, directive.flags.alternate);
        }
        None => {
            strip_zeros(&mut text);
            if directive.flags.alternate && text.len() == 1 {
                text.push(b'.');
            }
        }
    }
    append_exponent(&mut text, b'p', exponent, 1);
    text
}

/// The fraction of single precision is no whole number of digits; variable arguments are never of it anyway.
fn whole_digits(kind: FloatKind, bits: u128) -> (FloatKind, u128) {
    if kind != FloatKind::F32 {
        return (kind, bits);
    }
    let double = ops::cast(Cast::FloatToFloat, Scalar::Float(kind), Scalar::Float(FloatKind::F64), bits);
    (FloatKind::F64, double.unwrap_or(bits))
}

fn shift_right_to_even(value: u128, shift: u32) -> u128 {
    if shift == 0 {
        return value;
    }
    let (kept, rest, half) = (value >> shift, ops::truncate(value, shift), 1 << (shift - 1));
    kept + u128::from(rest > half || rest == half && kept % 2 == 1)
}

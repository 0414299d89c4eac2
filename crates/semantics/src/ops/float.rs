//! Floating operators: what all formats share, done on their bits. Arithmetic is [`native`] for single and double precision and
//! [`soft`] for the wider formats.

use program::{BinaryOp, FloatKind, UnaryOp};

use super::{native, soft, truncate};

/// How a format lays out sign, exponent and significand, from the top.
#[derive(Clone, Copy)]
pub struct Layout {
    pub exponent_bits: u32,
    /// Without the integer bit.
    pub fraction_bits: u32,
    /// x87 stores the bit that the others imply.
    pub stores_integer_bit: bool,
}

/// What the bits of a float represent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Encodings that x87 refuses count as NaNs, as every instruction makes them one.
    Nan,
    Infinite,
    /// `significand * 2^exponent`, sign apart; the significand of a zero is 0.
    Finite {
        significand: u128,
        exponent: i32,
    },
}

impl Layout {
    pub fn of(kind: FloatKind) -> Layout {
        let (exponent_bits, fraction_bits, stores_integer_bit) = match kind {
            FloatKind::F32 => (8, 23, false),
            FloatKind::F64 => (11, 52, false),
            FloatKind::X87In12 | FloatKind::X87In16 => (15, 63, true),
            FloatKind::F128 => (15, 112, false),
        };
        Layout { exponent_bits, fraction_bits, stores_integer_bit }
    }

    /// Bits below the exponent.
    fn significand_bits(self) -> u32 {
        self.fraction_bits + u32::from(self.stores_integer_bit)
    }

    fn sign_bit(self) -> u32 {
        self.significand_bits() + self.exponent_bits
    }

    fn sign_mask(self) -> u128 {
        1 << self.sign_bit()
    }

    fn greatest_exponent(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    pub fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    fn quiet_bit(self) -> u128 {
        1 << (self.fraction_bits - 1)
    }

    fn integer_bit(self) -> u128 {
        1 << self.fraction_bits
    }

    fn compose(self, negative: bool, exponent: u32, significand: u128) -> u128 {
        let sign = u128::from(negative) << self.sign_bit();
        sign | u128::from(exponent) << self.significand_bits() | truncate(significand, self.significand_bits())
    }

    /// What x86 gives where no operand is a NaN: negative, quiet, no payload.
    pub fn default_nan(self) -> u128 {
        self.compose(true, self.greatest_exponent(), self.integer_bit() | self.quiet_bit())
    }

    /// `significand * 2^exponent`, which must be representable.
    pub fn pack(self, negative: bool, significand: u128, exponent: i32) -> u128 {
        if significand == 0 {
            return self.compose(negative, 0, 0);
        }
        let excess = 127 - significand.leading_zeros() as i32 - self.fraction_bits as i32;
        let biased = exponent + excess + self.fraction_bits as i32 + self.bias();
        let shift = excess + (1 - biased).max(0);
        let significand = if shift >= 0 { significand >> shift } else { significand << -shift };
        self.compose(negative, biased.max(0) as u32, significand)
    }
}

pub fn unpack(kind: FloatKind, bits: u128) -> Number {
    let layout = Layout::of(kind);
    let exponent = (bits >> layout.significand_bits()) as u32 & layout.greatest_exponent();
    let stored = truncate(bits, layout.significand_bits());
    let integer_bit = layout.integer_bit();
    let fraction = stored & (integer_bit - 1);
    if layout.stores_integer_bit && exponent != 0 && stored & integer_bit == 0 {
        return Number::Nan;
    }
    if exponent == layout.greatest_exponent() {
        return if fraction == 0 { Number::Infinite } else { Number::Nan };
    }
    let significand = if exponent == 0 { stored } else { fraction | integer_bit };
    let exponent = exponent.max(1) as i32 - layout.bias() - layout.fraction_bits as i32;
    Number::Finite { significand, exponent }
}

pub fn is_negative(kind: FloatKind, bits: u128) -> bool {
    bits & Layout::of(kind).sign_mask() != 0
}

pub fn is_nan(kind: FloatKind, bits: u128) -> bool {
    match kind {
        FloatKind::F32 => f32::from_bits(bits as u32).is_nan(),
        FloatKind::F64 => f64::from_bits(bits as u64).is_nan(),
        FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => unpack(kind, bits) == Number::Nan,
    }
}

pub fn is_signaling(kind: FloatKind, bits: u128) -> bool {
    is_nan(kind, bits) && bits & Layout::of(kind).quiet_bit() == 0
}

/// The NaN that an operation makes of one operand.
pub fn quieted(kind: FloatKind, nan: u128) -> u128 {
    let layout = Layout::of(kind);
    let refused = layout.stores_integer_bit && nan & layout.integer_bit() == 0;
    if refused { layout.default_nan() } else { nan | layout.quiet_bit() }
}

pub fn unary(op: UnaryOp, kind: FloatKind, a: u128) -> u128 {
    let sign = Layout::of(kind).sign_mask();
    match op {
        UnaryOp::FNeg => a ^ sign,
        UnaryOp::FAbs => a & !sign,
        UnaryOp::FIsNan => is_nan(kind, a).into(),
        UnaryOp::FIsInf => (unpack(kind, a) == Number::Infinite).into(),
        UnaryOp::FSignBit => (a & sign != 0).into(),
        UnaryOp::FSqrt | UnaryOp::FFloor | UnaryOp::FCeil | UnaryOp::FTrunc | UnaryOp::FRound => {
            if is_nan(kind, a) {
                quieted(kind, a)
            } else {
                rounded_unary(op, kind, a)
            }
        }
        UnaryOp::Neg
        | UnaryOp::SNeg
        | UnaryOp::Not
        | UnaryOp::LeadingZeros
        | UnaryOp::TrailingZeros
        | UnaryOp::PopCount
        | UnaryOp::ByteSwap => panic!("{op:?} on a float"),
    }
}

fn rounded_unary(op: UnaryOp, kind: FloatKind, a: u128) -> u128 {
    match kind {
        FloatKind::F32 => native::single::unary(op, a),
        FloatKind::F64 => native::double::unary(op, a),
        FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::unary(op, kind, a),
    }
}

pub fn binary(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::FCopySign => {
            let sign = Layout::of(kind).sign_mask();
            a & !sign | b & sign
        }
        BinaryOp::FMin | BinaryOp::FMax => extremum(op, kind, a, b),
        BinaryOp::Eq | BinaryOp::FLt | BinaryOp::FLe => match kind {
            FloatKind::F32 => native::single::compare(op, a, b).into(),
            FloatKind::F64 => native::double::compare(op, a, b).into(),
            FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::compare(op, kind, a, b).into(),
        },
        _ if is_nan(kind, a) || is_nan(kind, b) => propagated(op, kind, a, b),
        _ => match kind {
            FloatKind::F32 => native::single::binary(op, a, b),
            FloatKind::F64 => native::double::binary(op, a, b),
            FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::binary(op, kind, a, b),
        },
    }
}

/// As C's `fmin` and `fmax`: a quiet NaN counts as missing. C leaves open which of two zeros and of two NaNs; this is glibc's
/// choice.
fn extremum(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    if is_signaling(kind, a) || is_signaling(kind, b) {
        return propagated(BinaryOp::FAdd, kind, a, b);
    }
    match (is_nan(kind, a), is_nan(kind, b)) {
        (true, true) if kind == FloatKind::F128 => return a,
        (true, true) => return propagated(op, kind, a, b),
        (true, false) => return b,
        (false, true) => return a,
        (false, false) => {}
    }
    let (low, high) = if op == BinaryOp::FMin { (a, b) } else { (b, a) };
    let first_of_equals = match kind {
        FloatKind::F32 | FloatKind::F64 => false,
        FloatKind::X87In12 | FloatKind::X87In16 => op == BinaryOp::FMin,
        FloatKind::F128 => true,
    };
    let order = if first_of_equals { BinaryOp::FLe } else { BinaryOp::FLt };
    if binary(order, kind, low, high) != 0 { a } else { b }
}

/// The NaN that results where at least one operand is one: SSE takes the first, x87 and quad precision the one with the
/// greater significand.
fn propagated(op: BinaryOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    let first = match (is_nan(kind, a), is_nan(kind, b)) {
        (true, false) => true,
        (false, true) => false,
        _ => match kind {
            FloatKind::F32 | FloatKind::F64 => true,
            FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::first_nan_wins(op, kind, a, b),
        },
    };
    quieted(kind, if first { a } else { b })
}

pub fn from_signed(kind: FloatKind, value: i128) -> u128 {
    match kind {
        FloatKind::F32 => (value as f32).to_bits().into(),
        FloatKind::F64 => (value as f64).to_bits().into(),
        FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::from_signed(kind, value),
    }
}

pub fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    match kind {
        FloatKind::F32 => (value as f32).to_bits().into(),
        FloatKind::F64 => (value as f64).to_bits().into(),
        FloatKind::X87In12 | FloatKind::X87In16 | FloatKind::F128 => soft::from_unsigned(kind, value),
    }
}

/// `None` if the value, towards zero, is out of range.
pub fn to_signed(kind: FloatKind, a: u128, bits: u32) -> Option<u128> {
    let magnitude = magnitude(kind, a)?;
    let limit = 1 << (bits - 1);
    if is_negative(kind, a) {
        (magnitude <= limit).then(|| truncate(magnitude.wrapping_neg(), bits))
    } else {
        (magnitude < limit).then_some(magnitude)
    }
}

/// `None` if the value, towards zero, is out of range.
pub fn to_unsigned(kind: FloatKind, a: u128, bits: u32) -> Option<u128> {
    let magnitude = magnitude(kind, a)?;
    let fits = magnitude == truncate(magnitude, bits) && (magnitude == 0 || !is_negative(kind, a));
    fits.then_some(magnitude)
}

/// The whole part without its sign, if it fits.
fn magnitude(kind: FloatKind, a: u128) -> Option<u128> {
    let Number::Finite { significand, exponent } = unpack(kind, a) else { return None };
    if exponent <= 0 {
        Some(significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0))
    } else {
        (exponent as u32 <= significand.leading_zeros()).then(|| significand.checked_shl(exponent as u32).unwrap_or(0))
    }
}

pub fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    if is_nan(from, a) {
        return converted_nan(from, to, a);
    }
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => f64::from(f32::from_bits(a as u32)).to_bits().into(),
        (FloatKind::F64, FloatKind::F32) => (f64::from_bits(a as u64) as f32).to_bits().into(),
        _ => soft::convert(from, to, a),
    }
}

/// Keeps the sign and the upper bits of the payload.
fn converted_nan(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    let (source, target) = (Layout::of(from), Layout::of(to));
    let payload = quieted(from, a) << (128 - source.fraction_bits) >> (128 - target.fraction_bits);
    target.compose(is_negative(from, a), target.greatest_exponent(), payload | target.integer_bit())
}

/// C leaves a value out of range undefined; the processor's instructions, which compilers use, do not: they give the least
/// value of their width, of which narrower types take the low bits.
pub fn to_signed_as_x86(kind: FloatKind, a: u128, bits: u32) -> Option<u128> {
    let fits = to_signed(kind, a, bits);
    match bits {
        // Quad precision is done by a library, not by an instruction.
        _ if fits.is_some() || kind == FloatKind::F128 => fits,
        0..=16 if is_x87(kind) => Some(by_instruction(kind, a, 16, bits)),
        0..=32 => Some(by_instruction(kind, a, 32, bits)),
        33..=64 => Some(by_instruction(kind, a, 64, bits)),
        _ => None,
    }
}

/// As for signed types, by the next wider instruction; 64 bits are made of two halves of the range.
pub fn to_unsigned_as_x86(kind: FloatKind, a: u128, bits: u32) -> Option<u128> {
    let fits = to_unsigned(kind, a, bits);
    match bits {
        _ if fits.is_some() || kind == FloatKind::F128 => fits,
        0..=8 if is_x87(kind) => Some(by_instruction(kind, a, 16, bits)),
        0..=16 => Some(by_instruction(kind, a, 32, bits)),
        17..=32 => Some(by_instruction(kind, a, 64, bits)),
        33..=64 if is_nan(kind, a) || is_negative(kind, a) => Some(by_instruction(kind, a, 64, bits)),
        33..=64 => Some(0),
        _ => None,
    }
}

fn is_x87(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::X87In12 | FloatKind::X87In16)
}

fn by_instruction(kind: FloatKind, a: u128, wide: u32, bits: u32) -> u128 {
    truncate(to_signed(kind, a, wide).unwrap_or(1 << (wide - 1)), bits)
}

//! The concrete operator table: every operator of an expression on the bits of its operands.
//!
//! Operands and results are zero-extended to 128 bits. Pointers are plain addresses here; who knows objects
//! gives pointer operators their meaning before using this table.

mod float;
mod integer;
mod native;
mod soft;

use program::{BinaryOp, Cast, Scalar, UnaryOp};

pub(crate) use float::{Number, unpack};
use integer::{narrow, wide};

/// Why an operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    DivisionByZero,
    /// The amount of a shift is not below the width of what is shifted.
    ShiftAmount,
    /// An element that lies outside of all objects.
    Address,
    /// A floating value converted to an integer type that cannot hold it, where no instruction does that.
    FloatRange,
}

/// `a` is of type `ty`. The result is masked to its width, which is that of `ty` but for predicates.
pub fn unary(op: UnaryOp, ty: Scalar, a: u128) -> u128 {
    match ty {
        Scalar::Float(kind) => float::unary(op, kind, a),
        _ if ty.bits() <= 64 => u128::from(narrow::unary(op, ty.bits(), a as u64)),
        _ => wide::unary(op, ty.bits(), a),
    }
}

/// `ty` is the type of the left operand, and of the right one too unless the operator is a shift or `PtrAdd`.
pub fn binary(op: BinaryOp, ty: Scalar, a: u128, b_ty: Scalar, b: u128) -> Result<u128, Fault> {
    match ty {
        Scalar::Float(kind) => Ok(float::binary(op, kind, a, b)),
        _ if ty.bits() <= 64 && b_ty.bits() <= 64 => narrow::binary(op, ty.bits(), a as u64, b as u64).map(u128::from),
        _ => wide::binary(op, ty.bits(), a, b),
    }
}

/// Does the operator, one on a signed C type, leave the range of that type?
pub fn unary_overflows(op: UnaryOp, ty: Scalar, a: u128) -> bool {
    op == UnaryOp::SNeg && binary_overflows(BinaryOp::SSub, ty, 0, a)
}

/// Does the operator, one on a signed C type, leave the range of that type? A zero divisor is a [`Fault`], not an overflow.
pub fn binary_overflows(op: BinaryOp, ty: Scalar, a: u128, b: u128) -> bool {
    match ty {
        Scalar::Float(_) => false,
        _ if ty.bits() <= 64 => narrow::overflows(op, ty.bits(), a as u64, b as u64),
        _ => wide::overflows(op, ty.bits(), a, b),
    }
}

pub fn cast(cast: Cast, from: Scalar, to: Scalar, a: u128) -> Result<u128, Fault> {
    Ok(match cast {
        Cast::Trunc | Cast::ZExt | Cast::IntToPtr | Cast::PtrToInt => truncate(a, to.bits()),
        Cast::SExt => truncate(sign_extend(a, from.bits()) as u128, to.bits()),
        Cast::FloatToSigned => return float::to_signed_as_x86(float_kind(from), a, to.bits()).ok_or(Fault::FloatRange),
        Cast::FloatToUnsigned => {
            return float::to_unsigned_as_x86(float_kind(from), a, to.bits()).ok_or(Fault::FloatRange);
        }
        Cast::SignedToFloat => float::from_signed(float_kind(to), sign_extend(a, from.bits())),
        Cast::UnsignedToFloat => float::from_unsigned(float_kind(to), a),
        Cast::FloatToFloat => float::convert(float_kind(from), float_kind(to), a),
    })
}

/// The low `bits` bits.
pub fn truncate(a: u128, bits: u32) -> u128 {
    a & (u128::MAX >> (128 - bits))
}

/// The value of `bits` bits in two's complement.
pub fn sign_extend(a: u128, bits: u32) -> i128 {
    ((a << (128 - bits)) as i128) >> (128 - bits)
}

fn float_kind(ty: Scalar) -> program::FloatKind {
    match ty {
        Scalar::Float(kind) => kind,
        _ => panic!("a floating operator on {ty:?}"),
    }
}

#[cfg(test)]
mod tests;

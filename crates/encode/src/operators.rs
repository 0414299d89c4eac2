//! Operators of expressions on terms: what `semantics::ops` computes on bits.

use logic::{Op, Term, Terms};
use program::{BinaryOp, Cast, UnaryOp};

use crate::{Encoded, Unsupported};

pub fn unary(terms: &mut Terms, op: UnaryOp, a: Term) -> Result<Encoded, Unsupported> {
    let term = match op {
        UnaryOp::Neg => terms.bvneg(a),
        UnaryOp::SNeg => {
            let (term, fault, overflow) = (terms.bvneg(a), terms.bool(false), terms.snego(a));
            return Ok(Encoded { term, fault, overflow });
        }
        UnaryOp::Not => terms.bvnot(a),
        UnaryOp::LeadingZeros => first_one(terms, a, 0..terms.width(a)),
        UnaryOp::TrailingZeros => first_one(terms, a, (0..terms.width(a)).rev()),
        UnaryOp::PopCount => pop_count(terms, a),
        UnaryOp::ByteSwap if terms.width(a).is_multiple_of(8) => byte_swap(terms, a),
        op => return Err(Unsupported(format!("the operator {op:?} on {} bits", terms.width(a)))),
    };
    Ok(Encoded::plain(terms, term))
}

/// `b` is as wide as `a`, but for shifts.
pub fn binary(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Result<Encoded, Unsupported> {
    let never = terms.bool(false);
    let (mut fault, mut overflow) = (never, never);
    let term = match op {
        BinaryOp::Add | BinaryOp::PtrAdd => terms.bvadd(a, b),
        BinaryOp::Sub | BinaryOp::PtrDiff => terms.bvsub(a, b),
        BinaryOp::Mul => terms.bvmul(a, b),
        BinaryOp::SAdd => {
            overflow = terms.saddo(a, b);
            terms.bvadd(a, b)
        }
        BinaryOp::SSub => {
            overflow = terms.ssubo(a, b);
            terms.bvsub(a, b)
        }
        BinaryOp::SMul => {
            overflow = terms.smulo(a, b);
            terms.bvmul(a, b)
        }
        BinaryOp::Scale => {
            fault = terms.smulo(a, b);
            terms.bvmul(a, b)
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
            let nonzero = terms.is_nonzero(b);
            fault = terms.not(nonzero);
            if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                overflow = terms.sdivo(a, b);
            }
            let op = match op {
                BinaryOp::UDiv => Op::BvUdiv,
                BinaryOp::URem => Op::BvUrem,
                BinaryOp::SDiv => Op::BvSdiv,
                _ => Op::BvSrem,
            };
            terms.apply(op, &[a, b])
        }
        BinaryOp::And => terms.bvand(a, b),
        BinaryOp::Or => terms.bvor(a, b),
        BinaryOp::Xor => terms.bvxor(a, b),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            fault = is_no_amount(terms, b, terms.width(a));
            let op = match op {
                BinaryOp::Shl => Op::BvShl,
                BinaryOp::LShr => Op::BvLshr,
                _ => Op::BvAshr,
            };
            let amount = terms.resize_unsigned(b, terms.width(a));
            terms.apply(op, &[a, amount])
        }
        BinaryOp::Eq | BinaryOp::ULt | BinaryOp::PtrLt | BinaryOp::ULe => comparison(terms, op, a, b),
        BinaryOp::PtrLe | BinaryOp::SLt | BinaryOp::SLe => comparison(terms, op, a, b),
        op => return Err(Unsupported(format!("the operator {op:?}"))),
    };
    Ok(Encoded { term, fault, overflow })
}

pub fn cast(terms: &mut Terms, cast: Cast, width: u8, a: Term) -> Result<Term, Unsupported> {
    match cast {
        Cast::Trunc | Cast::ZExt | Cast::IntToPtr | Cast::PtrToInt => Ok(terms.resize_unsigned(a, width)),
        Cast::SExt => Ok(terms.resize_signed(a, width)),
        cast => Err(Unsupported(format!("the conversion {cast:?}"))),
    }
}

fn comparison(terms: &mut Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    let truth = match op.on_words() {
        BinaryOp::Eq => terms.eq(a, b),
        BinaryOp::ULt => terms.bvult(a, b),
        BinaryOp::ULe => terms.bvule(a, b),
        BinaryOp::SLt => terms.bvslt(a, b),
        _ => terms.bvsle(a, b),
    };
    terms.bit_of(truth)
}

/// The amount, of any width, is not below the width of what is shifted.
fn is_no_amount(terms: &mut Terms, amount: Term, width: u8) -> Term {
    let own = terms.width(amount);
    if own < 8 && width >> own != 0 {
        return terms.bool(false);
    }
    let limit = terms.bits(own, u128::from(width));
    terms.bvule(limit, amount)
}

/// How many bits are visited behind the last one that is set, of all in this order: the width if none is.
fn first_one(terms: &mut Terms, a: Term, bits: impl Iterator<Item = u8>) -> Term {
    let width = terms.width(a);
    let mut count = terms.bits(width, u128::from(width));
    for (visited, bit) in bits.enumerate() {
        let (is_set, behind) = (bit_is_set(terms, a, bit), terms.bits(width, u128::from(width) - 1 - visited as u128));
        count = terms.ite(is_set, behind, count);
    }
    count
}

fn pop_count(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let zero = terms.bits(width, 0);
    (0..width).fold(zero, |sum, bit| {
        let bit = terms.extract(bit, bit, a);
        let bit = terms.resize_unsigned(bit, width);
        terms.bvadd(sum, bit)
    })
}

fn byte_swap(terms: &mut Terms, a: Term) -> Term {
    let bytes: Vec<Term> = (0..terms.width(a) / 8).map(|byte| terms.extract(8 * byte + 7, 8 * byte, a)).collect();
    bytes.into_iter().reduce(|high, low| terms.concat(high, low)).expect("there is a byte")
}

fn bit_is_set(terms: &mut Terms, a: Term, bit: u8) -> Term {
    let bit = terms.extract(bit, bit, a);
    terms.is_nonzero(bit)
}

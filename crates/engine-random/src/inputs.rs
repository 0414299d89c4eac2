//! Values for inputs: small, at the edges of types, near constants that the program compares with, or anything.

use fastrand::Rng;
use program::{BinaryOp, ExprKind, Input, Program, Scalar};
use semantics::mask;

const MOST: usize = 256;

/// Constants that conditions compare with, over the whole program.
pub struct Pool(Vec<u64>);

impl Pool {
    pub fn of(program: &Program) -> Pool {
        let mut pool = Vec::new();
        for function in program.functions.iter() {
            for expr in function.exprs.iter() {
                let ExprKind::Binary(op, left, right) = expr.kind else { continue };
                if !is_comparison(op) {
                    continue;
                }
                for side in [left, right] {
                    if let ExprKind::Const(bits) = function.exprs[side].kind
                        && !pool.contains(&bits)
                        && pool.len() < MOST
                    {
                        pool.push(bits);
                    }
                }
            }
        }
        Pool(pool)
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::ULt | BinaryOp::ULe | BinaryOp::SLt | BinaryOp::SLe)
}

/// How a run draws its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taste {
    Zero,
    Small,
    Edges,
    Guided,
    Anything,
    Mixed,
}

impl Taste {
    /// Runs take turns.
    pub fn of_run(run: u64) -> Taste {
        use Taste::*;
        [Mixed, Small, Guided, Zero, Mixed, Edges, Guided, Anything][run as usize % 8]
    }
}

pub fn draw(rng: &mut Rng, pool: &Pool, taste: Taste, ty: Scalar, why: Input) -> u128 {
    if why == Input::Doubt {
        // Few runs have doubts: they find candidates only.
        return u128::from(matches!(taste, Taste::Edges | Taste::Anything) && rng.bool());
    }
    let bits = match (ty, taste) {
        // A pointer made from a number leads nowhere: null is the one that programs compare with.
        (Scalar::Pointer(_), _) => 0,
        (Scalar::Float(_), _) => return draw_float(rng, ty),
        (_, Taste::Zero) => 0,
        (_, Taste::Small) => rng.u64(0..4),
        (_, Taste::Edges) => edge(rng, ty),
        (_, Taste::Guided) => guided(rng, pool),
        (_, Taste::Anything) => rng.u64(..),
        (_, Taste::Mixed) if why == Input::Uninitialised && rng.bool() => 0,
        (_, Taste::Mixed) => match rng.u8(0..8) {
            0 => 0,
            1..=3 => rng.u64(0..8),
            4 => edge(rng, ty),
            5 | 6 => guided(rng, pool),
            _ => rng.u64(..),
        },
    };
    // Sign-extended, so that -1 is -1 in every width.
    bits as i64 as i128 as u128 & mask(ty)
}

fn edge(rng: &mut Rng, ty: Scalar) -> u64 {
    let top = 1u64 << (ty.bits().min(64) - 1);
    let edges = [0, 1, u64::MAX, top, top - 1, top.wrapping_add(1), 2, u64::MAX - 1];
    edges[rng.usize(0..edges.len())]
}

fn guided(rng: &mut Rng, pool: &Pool) -> u64 {
    if pool.0.is_empty() {
        return rng.u64(0..16);
    }
    let constant = pool.0[rng.usize(0..pool.0.len())];
    match rng.u8(0..4) {
        0 => constant.wrapping_add(1),
        1 => constant.wrapping_sub(1),
        _ => constant,
    }
}

fn draw_float(rng: &mut Rng, ty: Scalar) -> u128 {
    let value = match rng.u8(0..4) {
        0 => 0.0,
        1 => f64::from(rng.i8(..)),
        2 => rng.f64(),
        _ => f64::from_bits(rng.u64(..)),
    };
    match ty.bytes() {
        4 => u128::from((value as f32).to_bits()),
        8 => u128::from(value.to_bits()),
        _ => 0,
    }
}

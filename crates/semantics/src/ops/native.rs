//! Single and double precision by the machine's own arithmetic. No operand is a NaN, so that the choice among NaNs, which Rust
//! leaves open, never shows.

use program::{BinaryOp, FloatKind, UnaryOp};

use super::float::Layout;

macro_rules! native_operators {
    ($name:ident, $Float:ty, $Bits:ty, $kind:expr) => {
        pub mod $name {
            use super::*;

            fn read(bits: u128) -> $Float {
                <$Float>::from_bits(bits as $Bits)
            }

            fn written(value: $Float) -> u128 {
                if value.is_nan() { Layout::of($kind).default_nan() } else { value.to_bits().into() }
            }

            pub fn unary(op: UnaryOp, a: u128) -> u128 {
                let a = read(a);
                written(match op {
                    UnaryOp::FSqrt => a.sqrt(),
                    UnaryOp::FFloor => a.floor(),
                    UnaryOp::FCeil => a.ceil(),
                    UnaryOp::FTrunc => a.trunc(),
                    UnaryOp::FRound => a.round(),
                    _ => unreachable!("{op:?} is no arithmetic on floats"),
                })
            }

            pub fn binary(op: BinaryOp, a: u128, b: u128) -> u128 {
                let (a, b) = (read(a), read(b));
                written(match op {
                    BinaryOp::FAdd => a + b,
                    BinaryOp::FSub => a - b,
                    BinaryOp::FMul => a * b,
                    BinaryOp::FDiv => a / b,
                    BinaryOp::FRem => a % b,
                    _ => panic!("{op:?} on floats"),
                })
            }

            /// NaNs allowed: no comparison with one holds.
            pub fn compare(op: BinaryOp, a: u128, b: u128) -> bool {
                let (a, b) = (read(a), read(b));
                match op {
                    BinaryOp::Eq => a == b,
                    BinaryOp::FLt => a < b,
                    _ => a <= b,
                }
            }
        }
    };
}

native_operators!(single, f32, u32, FloatKind::F32);
native_operators!(double, f64, u64, FloatKind::F64);

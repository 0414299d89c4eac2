//! Integer operators, written once and instantiated for words of 64 bits, where nearly all work is, and of 128.

use program::{BinaryOp, UnaryOp};

use super::Fault;

macro_rules! integer_operators {
    ($name:ident, $Word:ty, $Signed:ty) => {
        pub mod $name {
            use super::*;

            const BITS: u32 = <$Word>::BITS;

            fn truncate(a: $Word, bits: u32) -> $Word {
                a & (<$Word>::MAX >> (BITS - bits))
            }

            fn signed(a: $Word, bits: u32) -> $Signed {
                ((a << (BITS - bits)) as $Signed) >> (BITS - bits)
            }

            pub fn unary(op: UnaryOp, bits: u32, a: $Word) -> $Word {
                let result = match op {
                    UnaryOp::Neg | UnaryOp::SNeg => a.wrapping_neg(),
                    UnaryOp::Not => !a,
                    UnaryOp::LeadingZeros => (a.leading_zeros() - (BITS - bits)).into(),
                    UnaryOp::TrailingZeros => a.trailing_zeros().min(bits).into(),
                    UnaryOp::PopCount => a.count_ones().into(),
                    UnaryOp::ByteSwap => a.swap_bytes() >> (BITS - bits),
                    UnaryOp::FNeg
                    | UnaryOp::FAbs
                    | UnaryOp::FSqrt
                    | UnaryOp::FFloor
                    | UnaryOp::FCeil
                    | UnaryOp::FTrunc
                    | UnaryOp::FRound
                    | UnaryOp::FIsNan
                    | UnaryOp::FIsInf
                    | UnaryOp::FSignBit => panic!("{op:?} on an integer"),
                };
                truncate(result, bits)
            }

            pub fn binary(op: BinaryOp, bits: u32, a: $Word, b: $Word) -> Result<$Word, Fault> {
                let result = match op {
                    BinaryOp::Add | BinaryOp::SAdd | BinaryOp::PtrAdd => a.wrapping_add(b),
                    BinaryOp::Sub | BinaryOp::SSub | BinaryOp::PtrDiff => a.wrapping_sub(b),
                    BinaryOp::Mul | BinaryOp::SMul => a.wrapping_mul(b),
                    BinaryOp::Scale => {
                        let exact = signed(a, bits).checked_mul(signed(b, bits)).map(|product| product as $Word);
                        let fits = |product: &$Word| signed(*product, bits) as $Word == *product;
                        exact.filter(fits).ok_or(Fault::Address)?
                    }
                    BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => divide(op, bits, a, b)?,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => shift(op, bits, a, b)?,
                    BinaryOp::Eq => (a == b).into(),
                    BinaryOp::ULt | BinaryOp::PtrLt => (a < b).into(),
                    BinaryOp::ULe | BinaryOp::PtrLe => (a <= b).into(),
                    BinaryOp::SLt => (signed(a, bits) < signed(b, bits)).into(),
                    BinaryOp::SLe => (signed(a, bits) <= signed(b, bits)).into(),
                    BinaryOp::FAdd
                    | BinaryOp::FSub
                    | BinaryOp::FMul
                    | BinaryOp::FDiv
                    | BinaryOp::FRem
                    | BinaryOp::FLt
                    | BinaryOp::FLe
                    | BinaryOp::FMin
                    | BinaryOp::FMax
                    | BinaryOp::FCopySign => panic!("{op:?} on integers"),
                };
                Ok(truncate(result, bits))
            }

            fn divide(op: BinaryOp, bits: u32, a: $Word, b: $Word) -> Result<$Word, Fault> {
                if b == 0 {
                    return Err(Fault::DivisionByZero);
                }
                Ok(match op {
                    BinaryOp::UDiv => a / b,
                    BinaryOp::URem => a % b,
                    BinaryOp::SDiv => signed(a, bits).wrapping_div(signed(b, bits)) as $Word,
                    _ => signed(a, bits).wrapping_rem(signed(b, bits)) as $Word,
                })
            }

            fn shift(op: BinaryOp, bits: u32, a: $Word, amount: $Word) -> Result<$Word, Fault> {
                if amount >= bits.into() {
                    return Err(Fault::ShiftAmount);
                }
                Ok(match op {
                    BinaryOp::Shl => a << amount,
                    BinaryOp::LShr => a >> amount,
                    _ => (signed(a, bits) >> amount) as $Word,
                })
            }

            pub fn overflows(op: BinaryOp, bits: u32, a: $Word, b: $Word) -> bool {
                let (a, b) = (signed(a, bits), signed(b, bits));
                let exact = match op {
                    BinaryOp::SAdd => a.checked_add(b),
                    BinaryOp::SSub => a.checked_sub(b),
                    BinaryOp::SMul => a.checked_mul(b),
                    // The remainder of the least value by -1 is undefined because the quotient is.
                    BinaryOp::SDiv | BinaryOp::SRem if b != 0 => a.checked_div(b),
                    _ => return false,
                };
                exact.is_none_or(|value| signed(value as $Word, bits) != value)
            }
        }
    };
}

integer_operators!(narrow, u64, i64);
integer_operators!(wide, u128, i128);

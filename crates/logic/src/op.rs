//! Sorts, operators, and which operands an operator takes.

use std::fmt;

use thiserror::Error;

use crate::SymbolId;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Of 1 to 128 bits.
    Bits(u8),
    /// From bit-vectors to bit-vectors, given by their widths.
    Array {
        index: u8,
        element: u8,
    },
}

/// Operators, with SMT-LIB's names; those that are missing are made of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Bool(bool),
    /// `value` has no bit set beyond `width`.
    Bits {
        width: u8,
        value: u128,
    },
    Symbol(SymbolId, Sort),
    Not,
    And,
    Or,
    /// Of two terms of one sort.
    Eq,
    Ite,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    /// All ones for a zero divisor.
    BvUdiv,
    /// The dividend for a zero divisor.
    BvUrem,
    BvSdiv,
    BvSrem,
    /// Amounts as wide as what is shifted; nothing of it is left if they are not below the width.
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvSlt,
    /// The first operand has the high bits.
    Concat,
    /// The bits from `low` to `high`, both included.
    Extract {
        high: u8,
        low: u8,
    },
    /// By so many bits, not zero.
    ZeroExtend(u8),
    SignExtend(u8),
    Select,
    Store,
    /// Every element is the operand.
    ConstArray {
        index: u8,
    },
}

/// Operands that an operator does not take.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{op} does not take ({})", operands.iter().map(Sort::to_string).collect::<Vec<_>>().join(" "))]
pub struct SortError {
    pub op: Op,
    pub operands: Vec<Sort>,
}

impl Op {
    /// The sort of what it makes of operands of these sorts.
    pub fn sort(self, operands: &[Sort]) -> Result<Sort, SortError> {
        use Sort::{Array, Bits, Bool};
        let fits = |width: u8| (1..=128).contains(&width);
        let sort = match (self, operands) {
            (Op::Bool(_), []) => Some(Bool),
            (Op::Bits { width, value }, []) if fits(width) && value >> (width - 1) >> 1 == 0 => Some(Bits(width)),
            (Op::Symbol(_, sort), []) if sort.is_valid() => Some(sort),
            (Op::Not, [Bool]) | (Op::And | Op::Or, [Bool, Bool]) => Some(Bool),
            (Op::Eq, [a, b]) if a == b => Some(Bool),
            (Op::Ite, [Bool, a, b]) if a == b => Some(*a),
            (Op::BvNot | Op::BvNeg, [Bits(width)]) => Some(Bits(*width)),
            (Op::BvUlt | Op::BvSlt, [Bits(a), Bits(b)]) if a == b => Some(Bool),
            (Op::Concat, [Bits(a), Bits(b)]) => a.checked_add(*b).filter(|width| fits(*width)).map(Bits),
            (Op::Extract { high, low }, [Bits(width)]) if low <= high && high < *width => Some(Bits(high - low + 1)),
            (Op::ZeroExtend(by) | Op::SignExtend(by), [Bits(width)]) if by > 0 => {
                width.checked_add(by).filter(|width| fits(*width)).map(Bits)
            }
            (Op::Select, [Array { index, element }, Bits(at)]) if index == at => Some(Bits(*element)),
            (Op::Store, [Array { index, element }, Bits(at), Bits(value)]) if index == at && element == value => {
                Some(operands[0])
            }
            (Op::ConstArray { index }, [Bits(element)]) if fits(index) => Some(Array { index, element: *element }),
            (op, [Bits(a), Bits(b)]) if a == b && op.keeps_width() => Some(Bits(*a)),
            _ => None,
        };
        sort.ok_or_else(|| SortError { op: self, operands: operands.to_vec() })
    }

    fn keeps_width(self) -> bool {
        use Op::*;
        matches!(self, BvAnd | BvOr | BvXor | BvAdd | BvSub | BvMul)
            || matches!(self, BvUdiv | BvUrem | BvSdiv | BvSrem | BvShl | BvLshr | BvAshr)
    }

    pub fn is_commutative(self) -> bool {
        matches!(self, Op::And | Op::Or | Op::Eq | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul)
    }
}

impl Sort {
    pub fn is_valid(self) -> bool {
        let fits = |width: u8| (1..=128).contains(&width);
        match self {
            Sort::Bool => true,
            Sort::Bits(width) => fits(width),
            Sort::Array { index, element } => fits(index) && fits(element),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array { index, element } => write!(f, "(Array {} {})", Sort::Bits(*index), Sort::Bits(*element)),
        }
    }
}

/// As SMT-LIB writes the operator. A constant array needs its sort, and a symbol its name: see [`crate::Terms::print`].
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Bool(value) => write!(f, "{value}"),
            Op::Bits { width, value } if width % 4 == 0 => {
                write!(f, "#x{value:0digits$x}", digits = *width as usize / 4)
            }
            Op::Bits { width, value } => write!(f, "#b{value:0digits$b}", digits = *width as usize),
            Op::Symbol(symbol, _) => write!(f, "{symbol}"),
            Op::Extract { high, low } => write!(f, "(_ extract {high} {low})"),
            Op::ZeroExtend(by) => write!(f, "(_ zero_extend {by})"),
            Op::SignExtend(by) => write!(f, "(_ sign_extend {by})"),
            Op::ConstArray { .. } => write!(f, "const"),
            op => write!(f, "{}", NAMES.iter().find(|(named, _)| named == op).map_or("?", |(_, name)| name)),
        }
    }
}

/// The operators that a name alone identifies.
pub(crate) const NAMES: [(Op, &str); 25] = [
    (Op::Not, "not"),
    (Op::And, "and"),
    (Op::Or, "or"),
    (Op::Eq, "="),
    (Op::Ite, "ite"),
    (Op::BvNot, "bvnot"),
    (Op::BvNeg, "bvneg"),
    (Op::BvAnd, "bvand"),
    (Op::BvOr, "bvor"),
    (Op::BvXor, "bvxor"),
    (Op::BvAdd, "bvadd"),
    (Op::BvSub, "bvsub"),
    (Op::BvMul, "bvmul"),
    (Op::BvUdiv, "bvudiv"),
    (Op::BvUrem, "bvurem"),
    (Op::BvSdiv, "bvsdiv"),
    (Op::BvSrem, "bvsrem"),
    (Op::BvShl, "bvshl"),
    (Op::BvLshr, "bvlshr"),
    (Op::BvAshr, "bvashr"),
    (Op::BvUlt, "bvult"),
    (Op::BvSlt, "bvslt"),
    (Op::Concat, "concat"),
    (Op::Select, "select"),
    (Op::Store, "store"),
];

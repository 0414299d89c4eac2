//! Pure expressions over plain locals and constants: bit-precise, every operator with one meaning for one width.

use base::index_type;

use crate::{FunctionId, GlobalId, LocalId};

index_type! {
    pub struct ExprId = "x";
}

/// The type of a value. Truth values are `Int(1)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Scalar {
    /// Two's complement bits, 1 to 128 of them; signedness is in the operators.
    Int(u8),
    Float(FloatKind),
    /// As wide as the machine says.
    Pointer(PointerWidth),
}

/// Bytes of a pointer: kept in the type so that sizes need no context.
pub type PointerWidth = u8;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum FloatKind {
    F32,
    F64,
    /// 80 bits, x87, stored in 12 bytes (ILP32).
    X87In12,
    /// 80 bits, x87, stored in 16 bytes (LP64).
    X87In16,
    F128,
}

impl Scalar {
    pub const BOOL: Scalar = Scalar::Int(1);

    /// Bytes it takes in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Int(bits) => u64::from(bits).div_ceil(8),
            Scalar::Float(FloatKind::F32) => 4,
            Scalar::Float(FloatKind::F64) => 8,
            Scalar::Float(FloatKind::X87In12) => 12,
            Scalar::Float(FloatKind::X87In16 | FloatKind::F128) => 16,
            Scalar::Pointer(bytes) => u64::from(bytes),
        }
    }

    /// Bits of its value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits) => u32::from(bits),
            Scalar::Float(FloatKind::F32) => 32,
            Scalar::Float(FloatKind::F64) => 64,
            Scalar::Float(FloatKind::X87In12 | FloatKind::X87In16) => 80,
            Scalar::Float(FloatKind::F128) => 128,
            Scalar::Pointer(bytes) => u32::from(bytes) * 8,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Scalar,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// The bits of an integer or float of at most 64 bits (zero-extended), or of the null pointer.
    Const(u64),
    /// Index into [`crate::Function::wide`], for wider constants.
    Wide(u32),
    /// The value of a plain local.
    Local(LocalId),
    /// The address of a local in memory.
    LocalAddress(LocalId),
    GlobalAddress(GlobalId),
    FunctionAddress(FunctionId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Cast(Cast, ExprId),
    /// Condition of type `Int(1)`; pure, so both arms may be evaluated, but a fault counts only in the chosen one.
    If(ExprId, ExprId, ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Wrapping.
    Neg,
    /// Of a signed C type: wraps, and overflow is an event that a property may forbid.
    SNeg,
    /// Bitwise; on `Int(1)`, logical.
    Not,
    FNeg,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    FTrunc,
    /// Half away from zero.
    FRound,
    /// Result `Int(1)`.
    FIsNan,
    FIsInf,
    FSignBit,
    /// Number of leading zero bits; the width for zero. Result as wide as the operand.
    LeadingZeros,
    TrailingZeros,
    PopCount,
    ByteSwap,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Of a signed C type: wrap, and overflow is an event that a property may forbid.
    SAdd,
    SSub,
    SMul,
    /// An index by the size of an element, as words read as signed: undefined unless exact, for no object is that large.
    Scale,
    /// Undefined for a zero divisor; signed ones also overflow for the least value by -1.
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// Undefined unless the amount, of any integer width and read as unsigned, is below the width.
    Shl,
    LShr,
    AShr,
    /// Any type; result `Int(1)`. Floats: IEEE equality.
    Eq,
    ULt,
    ULe,
    SLt,
    SLe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmod`.
    FRem,
    FLt,
    FLe,
    FMin,
    FMax,
    FCopySign,
    /// Pointer plus word, in bytes.
    PtrAdd,
    /// Bytes between two pointers into one object, as a word.
    PtrDiff,
    /// Result `Int(1)`; of two pointers into one object, otherwise by arbitrary addresses.
    PtrLt,
    PtrLe,
}

impl BinaryOp {
    /// All that integers of one width have, but for [`BinaryOp::Scale`].
    pub const OF_INTEGERS: [BinaryOp; 21] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::SAdd,
        BinaryOp::SSub,
        BinaryOp::SMul,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::Eq,
        BinaryOp::ULt,
        BinaryOp::ULe,
        BinaryOp::SLt,
        BinaryOp::SLe,
    ];

    /// On plain numbers, pointer operators are those of words.
    pub fn on_words(self) -> BinaryOp {
        match self {
            BinaryOp::PtrAdd => BinaryOp::Add,
            BinaryOp::PtrDiff => BinaryOp::Sub,
            BinaryOp::PtrLt => BinaryOp::ULt,
            BinaryOp::PtrLe => BinaryOp::ULe,
            op => op,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cast {
    /// Keeps the low bits.
    Trunc,
    ZExt,
    SExt,
    /// From a word.
    IntToPtr,
    /// To a word.
    PtrToInt,
    /// Toward zero; out of range, up to 64 bits, what x86 makes of it.
    FloatToSigned,
    FloatToUnsigned,
    SignedToFloat,
    UnsignedToFloat,
    FloatToFloat,
}

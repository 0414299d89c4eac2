//! Expressions in infix.

use std::cell::Cell;
use std::fmt;

use super::FunctionText;
use crate::{BinaryOp, Cast, ExprId, ExprKind, FloatKind, Scalar, UnaryOp};

/// Expressions share parts, so one of few nodes may be a tree of very many. Parts beyond this many are shown by their id.
const MOST_NODES: u32 = 20_000;

pub struct ExprText<'a> {
    function: &'a FunctionText<'a>,
    id: ExprId,
    left: Cell<u32>,
}

impl<'a> FunctionText<'a> {
    pub(super) fn expr(&'a self, id: ExprId) -> ExprText<'a> {
        ExprText { function: self, id, left: Cell::new(MOST_NODES) }
    }
}

impl fmt::Display for ExprText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.id)
    }
}

impl ExprText<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, id: ExprId) -> fmt::Result {
        let Some(expr) = self.function.function.exprs.get(id).filter(|_| self.left.get() > 0) else {
            return write!(f, "{id}");
        };
        self.left.set(self.left.get() - 1);
        match expr.kind {
            ExprKind::Const(bits) => constant(f, expr.ty, u128::from(bits)),
            ExprKind::Wide(index) => match self.function.function.wide.get(index as usize) {
                Some(bits) => constant(f, expr.ty, *bits),
                None => write!(f, "wide({index})"),
            },
            ExprKind::Local(local) => f.write_str(&self.function.locals[local]),
            ExprKind::LocalAddress(local) => write!(f, "&{}", &self.function.locals[local]),
            ExprKind::GlobalAddress(global) => write!(f, "&{}", self.function.names.global(global)),
            ExprKind::FunctionAddress(function) => write!(f, "&{}", self.function.names.function(function)),
            ExprKind::Unary(op, operand) => self.unary(f, op, operand),
            ExprKind::Binary(op, left, right) => self.binary(f, op, left, right),
            ExprKind::Cast(cast, operand) => {
                f.write_str(&cast_name(cast, expr.ty))?;
                self.call(f, &[operand])
            }
            ExprKind::If(condition, yes, no) => {
                self.operand(f, condition)?;
                f.write_str(" ? ")?;
                self.operand(f, yes)?;
                f.write_str(" : ")?;
                self.operand(f, no)
            }
        }
    }

    fn unary(&self, f: &mut fmt::Formatter<'_>, op: UnaryOp, operand: ExprId) -> fmt::Result {
        let exprs = &self.function.function.exprs;
        let prefix = match op {
            UnaryOp::Neg => "-",
            UnaryOp::SNeg => "-s ",
            UnaryOp::FNeg => "-f ",
            UnaryOp::Not => match exprs.get(operand) {
                Some(inner) if inner.ty == Scalar::BOOL => {
                    if let ExprKind::Binary(BinaryOp::Eq, left, right) = inner.kind {
                        return self.infix(f, left, "!=", right);
                    }
                    "!"
                }
                _ => "~",
            },
            UnaryOp::FAbs => return self.named(f, "fabs", operand),
            UnaryOp::FSqrt => return self.named(f, "sqrt", operand),
            UnaryOp::FFloor => return self.named(f, "floor", operand),
            UnaryOp::FCeil => return self.named(f, "ceil", operand),
            UnaryOp::FTrunc => return self.named(f, "ftrunc", operand),
            UnaryOp::FRound => return self.named(f, "round", operand),
            UnaryOp::FIsNan => return self.named(f, "isnan", operand),
            UnaryOp::FIsInf => return self.named(f, "isinf", operand),
            UnaryOp::FSignBit => return self.named(f, "signbit", operand),
            UnaryOp::LeadingZeros => return self.named(f, "leading_zeros", operand),
            UnaryOp::TrailingZeros => return self.named(f, "trailing_zeros", operand),
            UnaryOp::PopCount => return self.named(f, "popcount", operand),
            UnaryOp::ByteSwap => return self.named(f, "byteswap", operand),
        };
        f.write_str(prefix)?;
        self.operand(f, operand)
    }

    fn binary(&self, f: &mut fmt::Formatter<'_>, op: BinaryOp, left: ExprId, right: ExprId) -> fmt::Result {
        let symbol = match op {
            BinaryOp::Add | BinaryOp::PtrAdd => "+",
            BinaryOp::Sub | BinaryOp::PtrDiff => "-",
            BinaryOp::Mul | BinaryOp::Scale => "*",
            BinaryOp::SAdd => "+s",
            BinaryOp::SSub => "-s",
            BinaryOp::SMul => "*s",
            BinaryOp::UDiv => "/u",
            BinaryOp::SDiv => "/s",
            BinaryOp::URem => "%u",
            BinaryOp::SRem => "%s",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::LShr => ">>u",
            BinaryOp::AShr => ">>s",
            BinaryOp::Eq => "==",
            BinaryOp::ULt => "<u",
            BinaryOp::ULe => "<=u",
            BinaryOp::SLt => "<s",
            BinaryOp::SLe => "<=s",
            BinaryOp::FAdd => "+f",
            BinaryOp::FSub => "-f",
            BinaryOp::FMul => "*f",
            BinaryOp::FDiv => "/f",
            BinaryOp::FRem => "%f",
            BinaryOp::FLt => "<f",
            BinaryOp::FLe => "<=f",
            BinaryOp::PtrLt => "<",
            BinaryOp::PtrLe => "<=",
            BinaryOp::FMin => return self.named2(f, "fmin", left, right),
            BinaryOp::FMax => return self.named2(f, "fmax", left, right),
            BinaryOp::FCopySign => return self.named2(f, "copysign", left, right),
        };
        self.infix(f, left, symbol, right)
    }

    fn infix(&self, f: &mut fmt::Formatter<'_>, left: ExprId, symbol: &str, right: ExprId) -> fmt::Result {
        self.operand(f, left)?;
        write!(f, " {symbol} ")?;
        self.operand(f, right)
    }

    fn named(&self, f: &mut fmt::Formatter<'_>, name: &str, operand: ExprId) -> fmt::Result {
        f.write_str(name)?;
        self.call(f, &[operand])
    }

    fn named2(&self, f: &mut fmt::Formatter<'_>, name: &str, left: ExprId, right: ExprId) -> fmt::Result {
        f.write_str(name)?;
        self.call(f, &[left, right])
    }

    fn call(&self, f: &mut fmt::Formatter<'_>, operands: &[ExprId]) -> fmt::Result {
        f.write_str("(")?;
        for (i, operand) in operands.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            self.write(f, *operand)?;
        }
        f.write_str(")")
    }

    /// In parentheses unless it is one word or a call: no reader need know precedences.
    fn operand(&self, f: &mut fmt::Formatter<'_>, id: ExprId) -> fmt::Result {
        let bare = match self.function.function.exprs.get(id).map(|e| e.kind) {
            Some(ExprKind::Unary(UnaryOp::Neg | UnaryOp::SNeg | UnaryOp::FNeg | UnaryOp::Not, _))
            | Some(ExprKind::Binary(..) | ExprKind::If(..)) => self.left.get() == 0,
            _ => true,
        };
        if bare {
            return self.write(f, id);
        }
        f.write_str("(")?;
        self.write(f, id)?;
        f.write_str(")")
    }
}

fn cast_name(cast: Cast, to: Scalar) -> String {
    match cast {
        Cast::Trunc => format!("trunc{}", to.bits()),
        Cast::ZExt => format!("zext{}", to.bits()),
        Cast::SExt => format!("sext{}", to.bits()),
        Cast::IntToPtr => "pointer".to_owned(),
        Cast::PtrToInt => "address".to_owned(),
        Cast::FloatToSigned => format!("signed{}", to.bits()),
        Cast::FloatToUnsigned => format!("unsigned{}", to.bits()),
        Cast::SignedToFloat => format!("{}s", scalar(to)),
        Cast::UnsignedToFloat => format!("{}u", scalar(to)),
        Cast::FloatToFloat => scalar(to),
    }
}

pub fn scalar(scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(bits) => format!("i{bits}"),
        Scalar::Float(FloatKind::F32) => "f32".to_owned(),
        Scalar::Float(FloatKind::F64) => "f64".to_owned(),
        Scalar::Float(FloatKind::X87In12 | FloatKind::X87In16) => "f80".to_owned(),
        Scalar::Float(FloatKind::F128) => "f128".to_owned(),
        Scalar::Pointer(_) => "ptr".to_owned(),
    }
}

/// Integers are shown as signed: the bits are the same, and small negative ones are by far the more frequent.
pub fn constant(f: &mut impl fmt::Write, ty: Scalar, bits: u128) -> fmt::Result {
    match ty {
        Scalar::Int(1) => f.write_str(if bits == 0 { "false" } else { "true" }),
        Scalar::Int(width @ 1..=128) => {
            let unused = 128 - u32::from(width);
            write!(f, "{}", ((bits << unused) as i128) >> unused)
        }
        Scalar::Int(width) => write!(f, "{bits}:i{width}"),
        Scalar::Float(FloatKind::F32) => float(f, f64::from(f32::from_bits(bits as u32)), bits, "f"),
        Scalar::Float(FloatKind::F64) => float(f, f64::from_bits(bits as u64), bits, ""),
        Scalar::Float(_) => write!(f, "{}:{bits:#x}", scalar(ty)),
        Scalar::Pointer(_) if bits == 0 => f.write_str("null"),
        Scalar::Pointer(_) => write!(f, "pointer({bits:#x})"),
    }
}

fn float(f: &mut impl fmt::Write, value: f64, bits: u128, suffix: &str) -> fmt::Result {
    match value.is_nan() {
        true => write!(f, "nan{suffix}:{bits:#x}"),
        false => write!(f, "{value:?}{suffix}"),
    }
}

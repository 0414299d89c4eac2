//! The types of operands and results, per operator.

use base::Idx;

use super::{Checker, ensure};
use crate::{BinaryOp, Cast, ExprId, ExprKind, Scalar, UnaryOp};

impl Checker<'_> {
    pub(super) fn ty(&self, id: ExprId) -> Result<Scalar, String> {
        self.function.exprs.get(id).map(|e| e.ty).ok_or_else(|| format!("expression {id} does not exist"))
    }

    pub(super) fn expr(&self, id: ExprId) -> Result<(), String> {
        let expr = self.function.exprs[id];
        self.scalar(expr.ty)?;
        let operand = |operand: ExprId| {
            ensure(operand < id, || format!("operand {operand} does not come before it"))?;
            self.ty(operand)
        };
        match expr.kind {
            ExprKind::Const(bits) => self.constant(expr.ty, u128::from(bits)),
            ExprKind::Wide(index) => {
                let bits = self.function.wide.get(index as usize).ok_or("no such wide constant")?;
                ensure(u64::try_from(*bits).is_err(), || "a wide constant that is not wide".to_owned())?;
                self.constant(expr.ty, *bits)
            }
            ExprKind::Local(local) => {
                let kept = self.plain(local)?;
                ensure(kept == expr.ty, || format!("the local is kept as {kept:?}"))
            }
            ExprKind::LocalAddress(local) => self.memory(local).and(self.is_pointer(expr.ty)),
            ExprKind::GlobalAddress(id) => {
                ensure(id.index() < self.program.globals.len(), || format!("global {id} does not exist"))?;
                self.is_pointer(expr.ty)
            }
            ExprKind::FunctionAddress(id) => {
                ensure(id.index() < self.program.functions.len(), || format!("function {id} does not exist"))?;
                self.is_pointer(expr.ty)
            }
            ExprKind::Unary(op, inner) => {
                let inner = operand(inner)?;
                ensure(unary_fits(op, inner, expr.ty), || format!("{op:?} of {inner:?} does not give {:?}", expr.ty))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (operand(left)?, operand(right)?);
                let fits = binary_fits(op, left, right, expr.ty, self.program.machine.word());
                ensure(fits, || format!("{op:?} of {left:?} and {right:?} does not give {:?}", expr.ty))
            }
            ExprKind::Cast(cast, inner) => {
                let inner = operand(inner)?;
                let fits = cast_fits(cast, inner, expr.ty, self.program.machine.word());
                ensure(fits, || format!("{cast:?} of {inner:?} does not give {:?}", expr.ty))
            }
            ExprKind::If(condition, yes, no) => {
                let (condition, yes, no) = (operand(condition)?, operand(yes)?, operand(no)?);
                let fits = condition == Scalar::BOOL && yes == expr.ty && no == expr.ty;
                ensure(fits, || format!("choice by {condition:?} of {yes:?} and {no:?} as {:?}", expr.ty))
            }
        }
    }

    /// Bits above the width are zero; the only constant pointer is null, others are made from an integer.
    fn constant(&self, ty: Scalar, bits: u128) -> Result<(), String> {
        let fits = match ty {
            Scalar::Pointer(_) => bits == 0,
            _ => ty.bits() == 128 || bits >> ty.bits() == 0,
        };
        ensure(fits, || format!("{bits:#x} is no constant of {ty:?}"))
    }

    fn is_pointer(&self, ty: Scalar) -> Result<(), String> {
        ensure(ty == self.pointer(), || format!("an address of type {ty:?}"))
    }
}

fn is_int(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int(_))
}

fn is_float(ty: Scalar) -> bool {
    matches!(ty, Scalar::Float(_))
}

fn is_pointer(ty: Scalar) -> bool {
    matches!(ty, Scalar::Pointer(_))
}

fn unary_fits(op: UnaryOp, operand: Scalar, result: Scalar) -> bool {
    use UnaryOp::*;
    match op {
        // Integer, result alike.
        Neg | SNeg | Not | LeadingZeros | TrailingZeros | PopCount => is_int(operand) && result == operand,
        // Integer of whole bytes, result alike.
        ByteSwap => is_int(operand) && operand.bits().is_multiple_of(8) && result == operand,
        // Float, result alike.
        FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRound => is_float(operand) && result == operand,
        // Float, result a truth value.
        FIsNan | FIsInf | FSignBit => is_float(operand) && result == Scalar::BOOL,
    }
}

fn binary_fits(op: BinaryOp, left: Scalar, right: Scalar, result: Scalar, word: Scalar) -> bool {
    use BinaryOp::*;
    let alike = left == right;
    match op {
        // Integers of one width, result alike.
        Add | Sub | Mul | SAdd | SSub | SMul | Scale | UDiv | SDiv | URem | SRem | And | Or | Xor => {
            alike && is_int(left) && result == left
        }
        // Integers; the amount has any width, the result is as wide as the left operand.
        Shl | LShr | AShr => is_int(left) && is_int(right) && result == left,
        // Operands of one type, whichever, result a truth value.
        Eq => alike && result == Scalar::BOOL,
        // Integers of one width, result a truth value.
        ULt | ULe | SLt | SLe => alike && is_int(left) && result == Scalar::BOOL,
        // Floats of one kind, result alike.
        FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign => alike && is_float(left) && result == left,
        // Floats of one kind, result a truth value.
        FLt | FLe => alike && is_float(left) && result == Scalar::BOOL,
        // Pointer and word, result a pointer.
        PtrAdd => is_pointer(left) && right == word && result == left,
        // Pointers, result a word.
        PtrDiff => alike && is_pointer(left) && result == word,
        // Pointers, result a truth value.
        PtrLt | PtrLe => alike && is_pointer(left) && result == Scalar::BOOL,
    }
}

fn cast_fits(cast: Cast, from: Scalar, to: Scalar, word: Scalar) -> bool {
    match cast {
        // To a narrower integer.
        Cast::Trunc => is_int(from) && is_int(to) && to.bits() < from.bits(),
        // To a wider integer.
        Cast::ZExt | Cast::SExt => is_int(from) && is_int(to) && to.bits() > from.bits(),
        // Between word and pointer.
        Cast::IntToPtr => from == word && is_pointer(to),
        Cast::PtrToInt => is_pointer(from) && to == word,
        // Between integers of any width and floats of any kind.
        Cast::FloatToSigned | Cast::FloatToUnsigned => is_float(from) && is_int(to),
        Cast::SignedToFloat | Cast::UnsignedToFloat => is_int(from) && is_float(to),
        // To another kind of float.
        Cast::FloatToFloat => is_float(from) && is_float(to) && from != to,
    }
}

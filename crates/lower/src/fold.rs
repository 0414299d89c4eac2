//! Expressions made with the few simplifications that keep automata readable: constants of addresses and casts,
//! truth values that went through `int` and back. The meaning of operators is not written here.

use program::{BinaryOp, Cast, ExprId, ExprKind, FunctionBuilder, Scalar, UnaryOp};

/// Builds expressions in a function.
pub trait Fold {
    fn local(&mut self, local: program::LocalId) -> ExprId;
    fn int(&mut self, bits: u8, value: u128) -> ExprId;
    fn null(&mut self, pointer: Scalar) -> ExprId;
    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId;
    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId;
    fn cast(&mut self, cast: Cast, to: Scalar, operand: ExprId) -> ExprId;
    fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId;
    /// Logical negation of a truth value.
    fn not(&mut self, condition: ExprId) -> ExprId;
    /// To an integer of another width.
    fn resize(&mut self, value: ExprId, bits: u8, signed: bool) -> ExprId;
    /// A truth value as an integer.
    fn truth_as_int(&mut self, condition: ExprId, bits: u8) -> ExprId;
    /// Whether a scalar differs from zero.
    fn is_true(&mut self, value: ExprId) -> ExprId;
    /// `pointer + offset` bytes.
    fn offset(&mut self, pointer: ExprId, offset: i64, word: Scalar) -> ExprId;
}

impl Fold for FunctionBuilder {
    fn local(&mut self, local: program::LocalId) -> ExprId {
        let program::Storage::Plain(ty) = self.locals[local].storage else {
            unreachable!("only plain locals are read in expressions")
        };
        self.expr(ExprKind::Local(local), ty)
    }

    fn int(&mut self, bits: u8, value: u128) -> ExprId {
        self.constant(Scalar::Int(bits), value)
    }

    fn null(&mut self, pointer: Scalar) -> ExprId {
        self.constant(pointer, 0)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        let ty = self.ty(operand);
        let result = match op {
            UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit => Scalar::BOOL,
            _ => ty,
        };
        match (op, self.get(operand).kind) {
            (UnaryOp::Not, ExprKind::Unary(UnaryOp::Not, inner)) => inner,
            (UnaryOp::Not, ExprKind::Const(bits)) => self.constant(ty, !u128::from(bits)),
            // Not the least number, whose negative does not exist.
            (UnaryOp::SNeg, ExprKind::Const(bits)) if u128::from(bits) >> (ty.bits() - 1) == 0 => {
                self.constant(ty, u128::from(bits).wrapping_neg())
            }
            _ => self.expr(ExprKind::Unary(op, operand), result),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        use BinaryOp::*;
        let ty = self.ty(left);
        let result = match op {
            Eq | ULt | ULe | SLt | SLe | FLt | FLe | PtrLt | PtrLe => Scalar::BOOL,
            PtrDiff => Scalar::Int(ty.bits() as u8),
            _ => ty,
        };
        if let (Some(a), Some(b)) = (self.as_constant(left), self.as_constant(right)) {
            match op {
                Add => return self.constant(ty, a.wrapping_add(b)),
                Sub => return self.constant(ty, a.wrapping_sub(b)),
                Mul => return self.constant(ty, a.wrapping_mul(b)),
                Scale if let Some(product) = exact_product(a, b, ty.bits()) => return self.constant(ty, product),
                And => return self.constant(ty, a & b),
                Or => return self.constant(ty, a | b),
                Eq if !matches!(ty, Scalar::Float(_)) => return self.int(1, u128::from(a == b)),
                _ => {}
            }
        }
        match (op, self.as_constant(left), self.as_constant(right)) {
            (PtrAdd | Add | Sub | Or, _, Some(0)) | (Mul | Scale, _, Some(1)) => return left,
            (Add | Or, Some(0), _) | (Mul | Scale, Some(1), _) => return right,
            (PtrAdd, None, Some(more)) => {
                if let ExprKind::Binary(PtrAdd, base, first) = self.get(left).kind
                    && let Some(first) = self.as_constant(first)
                {
                    let sum = self.constant(self.ty(right), first.wrapping_add(more));
                    return self.binary(PtrAdd, base, sum);
                }
            }
            (And, Some(c), _) if ty == Scalar::BOOL => return if c == 1 { right } else { left },
            (And, _, Some(c)) if ty == Scalar::BOOL => return if c == 1 { left } else { right },
            _ => {}
        }
        self.expr(ExprKind::Binary(op, left, right), result)
    }

    fn cast(&mut self, cast: Cast, to: Scalar, operand: ExprId) -> ExprId {
        let from = self.ty(operand);
        if from == to && matches!(cast, Cast::Trunc | Cast::ZExt | Cast::SExt | Cast::FloatToFloat) {
            return operand;
        }
        if let Some(bits) = self.as_constant(operand) {
            match cast {
                Cast::Trunc | Cast::ZExt => return self.constant(to, bits),
                Cast::SExt => {
                    let shift = 128 - from.bits();
                    return self.constant(to, (((bits << shift) as i128) >> shift) as u128);
                }
                Cast::IntToPtr | Cast::PtrToInt if bits == 0 => return self.constant(to, 0),
                _ => {}
            }
        }
        match (cast, self.get(operand).kind) {
            (Cast::Trunc, ExprKind::Cast(Cast::ZExt | Cast::SExt, inner)) if self.ty(inner) == to => inner,
            (Cast::ZExt | Cast::SExt, ExprKind::Cast(Cast::ZExt, inner)) => self.cast(Cast::ZExt, to, inner),
            (Cast::SExt, ExprKind::Cast(Cast::SExt, inner)) => self.cast(Cast::SExt, to, inner),
            (Cast::Trunc, ExprKind::Cast(Cast::Trunc, inner)) => self.cast(Cast::Trunc, to, inner),
            (Cast::IntToPtr, ExprKind::Cast(Cast::PtrToInt, inner)) => inner,
            _ => self.expr(ExprKind::Cast(cast, operand), to),
        }
    }

    fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.as_constant(condition) {
            Some(0) => otherwise,
            Some(_) => then,
            None if then == otherwise => then,
            None => {
                let ty = self.ty(then);
                self.expr(ExprKind::If(condition, then, otherwise), ty)
            }
        }
    }

    fn not(&mut self, condition: ExprId) -> ExprId {
        self.unary(UnaryOp::Not, condition)
    }

    fn resize(&mut self, value: ExprId, bits: u8, signed: bool) -> ExprId {
        let to = Scalar::Int(bits);
        match self.ty(value).bits().cmp(&u32::from(bits)) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(Cast::Trunc, to, value),
            std::cmp::Ordering::Less => self.cast(if signed { Cast::SExt } else { Cast::ZExt }, to, value),
        }
    }

    fn truth_as_int(&mut self, condition: ExprId, bits: u8) -> ExprId {
        self.resize(condition, bits, false)
    }

    fn is_true(&mut self, value: ExprId) -> ExprId {
        if let Some(bits) = self.as_constant(value) {
            // The sign of a zero does not count.
            let ty = self.ty(value);
            let bits = if let Scalar::Float(_) = ty { bits & !(1 << (ty.bits() - 1)) } else { bits };
            return self.int(1, u128::from(bits != 0));
        }
        match self.get(value).kind {
            _ if self.ty(value) == Scalar::BOOL => value,
            ExprKind::Cast(Cast::ZExt, inner) if self.ty(inner) == Scalar::BOOL => inner,
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => self.int(1, 1),
            _ => {
                let zero = self.constant(self.ty(value), 0);
                let equal = self.binary(BinaryOp::Eq, value, zero);
                self.not(equal)
            }
        }
    }

    fn offset(&mut self, pointer: ExprId, offset: i64, word: Scalar) -> ExprId {
        let offset = self.constant(word, offset as u128);
        self.binary(BinaryOp::PtrAdd, pointer, offset)
    }
}
/// The product of two numbers of so many bits, read as signed, if it is one.
fn exact_product(a: u128, b: u128, bits: u32) -> Option<u128> {
    let signed = |bits_of: u128| ((bits_of << (128 - bits)) as i128) >> (128 - bits);
    let product = signed(a).checked_mul(signed(b))?;
    (signed(product as u128) == product).then_some(product as u128)
}

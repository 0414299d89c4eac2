//! Compiler builtins as pure expressions and a few edges.

use c_front::typed::{Builtin, Expr};
use c_front::types as c;
use program::{Allocate, Allocation, BinaryOp, End, ExprId, FloatKind, Input, Op, Scalar, UnaryOp};

use crate::fold::Fold;
use crate::function::FunctionLowerer;

impl FunctionLowerer<'_, '_> {
    /// Lowers a builtin; the value, if it has one, has the type `ty`.
    pub fn builtin(&mut self, builtin: Builtin, args: &[Expr], ty: c::TypeId) -> Option<ExprId> {
        use Builtin::*;
        match builtin {
            CountLeadingZeros | CountTrailingZeros | PopCount | Parity | FindFirstSet | LeadingRedundantSignBits => {
                let value = self.value(args.first()?);
                let count = self.count_bits(builtin, value);
                let bits = self.scalar(ty).bits() as u8;
                Some(self.b.resize(count, bits, false))
            }
            ByteSwap => {
                let value = self.value(args.first()?);
                Some(self.b.unary(UnaryOp::ByteSwap, value))
            }
            AddOverflow | SubOverflow | MulOverflow | AddOverflowP | SubOverflowP | MulOverflowP => {
                self.overflow(builtin, args, ty)
            }
            Unreachable => {
                self.undefined();
                None
            }
            Trap => {
                self.end(End::Abort);
                None
            }
            Alloca => {
                let size = args.first()?;
                let value = self.value(size);
                let (word, signed) = (self.word(), self.unit.types.is_signed(size.ty));
                let size = self.convert(value, signed, word, false);
                let to = self.temp(self.pointer());
                self.emit(Op::Allocate(Box::new(Allocate { to, size, kind: Allocation::Frame, align: 16 })));
                Some(self.b.local(to))
            }
            VaStart => {
                let list = self.value(args.first()?);
                let pointer = self.pointer();
                let list = self.convert(list, false, pointer, false);
                let block = match self.varargs {
                    Some(block) => self.b.local(block),
                    None => self.b.null(pointer),
                };
                self.store_at(list, block);
                None
            }
            VaCopy => {
                let (to, from) = self.operands(args.first()?, args.get(1)?);
                let pointer = self.pointer();
                let (to, from) = (self.convert(to, false, pointer, false), self.convert(from, false, pointer, false));
                let next = self.load_at(from, pointer);
                self.store_at(to, next);
                None
            }
            FrameAddress | ReturnAddress => {
                args.iter().for_each(|arg| self.effect(arg));
                Some(self.arbitrary(self.scalar(ty), Input::Unknown))
            }
            IsNan | IsInf | IsFinite | IsNormal | SignBit => {
                let value = self.value(args.first()?);
                let truth = self.classify(builtin, value);
                Some(self.b.truth_as_int(truth, self.scalar(ty).bits() as u8))
            }
            IsGreater | IsGreaterEqual | IsLess | IsLessEqual | IsLessGreater | IsUnordered => {
                let (left, right) = self.operands(args.first()?, args.get(1)?);
                let truth = self.quiet_comparison(builtin, left, right);
                Some(self.b.truth_as_int(truth, self.scalar(ty).bits() as u8))
            }
            Fabs => {
                let value = self.value(args.first()?);
                Some(self.b.unary(UnaryOp::FAbs, value))
            }
            CopySign => {
                let (left, right) = self.operands(args.first()?, args.get(1)?);
                Some(self.b.binary(BinaryOp::FCopySign, left, right))
            }
            VaEnd | Nothing => {
                args.iter().for_each(|arg| self.effect(arg));
                None
            }
        }
    }

    fn count_bits(&mut self, builtin: Builtin, value: ExprId) -> ExprId {
        let ty = self.b.ty(value);
        let zero = self.b.constant(ty, 0);
        let one = self.b.constant(ty, 1);
        match builtin {
            Builtin::CountLeadingZeros => self.b.unary(UnaryOp::LeadingZeros, value),
            Builtin::CountTrailingZeros => self.b.unary(UnaryOp::TrailingZeros, value),
            Builtin::PopCount => self.b.unary(UnaryOp::PopCount, value),
            Builtin::Parity => {
                let count = self.b.unary(UnaryOp::PopCount, value);
                self.b.binary(BinaryOp::And, count, one)
            }
            Builtin::FindFirstSet => {
                let count = self.b.unary(UnaryOp::TrailingZeros, value);
                let index = self.b.binary(BinaryOp::Add, count, one);
                let none = self.b.binary(BinaryOp::Eq, value, zero);
                self.b.if_else(none, zero, index)
            }
            _ => {
                let negative = self.b.binary(BinaryOp::SLt, value, zero);
                let complement = self.b.unary(UnaryOp::Not, value);
                let magnitude = self.b.if_else(negative, complement, value);
                let count = self.b.unary(UnaryOp::LeadingZeros, magnitude);
                self.b.binary(BinaryOp::Sub, count, one)
            }
        }
    }

    /// `__builtin_add_overflow` and its kin: computed exactly in a wider type, then cut to the result's type.
    fn overflow(&mut self, builtin: Builtin, args: &[Expr], ty: c::TypeId) -> Option<ExprId> {
        use Builtin::*;
        let [left, right, last] = args else { return None };
        let stores = matches!(builtin, AddOverflow | SubOverflow | MulOverflow);
        let result = match (&self.unit.types.c[last.ty], stores) {
            (c::Type::Pointer(target), true) => target.ty,
            _ => last.ty,
        };
        let (Scalar::Int(a), Scalar::Int(b), Scalar::Int(r)) =
            (self.scalar(left.ty), self.scalar(right.ty), self.scalar(result))
        else {
            return None;
        };
        if a > 64 || b > 64 || r > 64 {
            self.unsupported("overflow arithmetic on __int128");
            return None;
        }
        let wide = match builtin {
            MulOverflow | MulOverflowP => (a + b + 1).max(r + 1).min(128),
            _ => a.max(b).max(r) + 2,
        };
        let (signed_left, signed_right) = (self.unit.types.is_signed(left.ty), self.unit.types.is_signed(right.ty));
        let (left, right) = self.operands(left, right);
        let left = self.b.resize(left, wide, signed_left);
        let right = self.b.resize(right, wide, signed_right);
        let op = match builtin {
            AddOverflow | AddOverflowP => BinaryOp::Add,
            SubOverflow | SubOverflowP => BinaryOp::Sub,
            _ => BinaryOp::Mul,
        };
        let exact = self.b.binary(op, left, right);
        let cut = self.b.resize(exact, r, false);
        let signed = self.unit.types.is_signed(result);
        let back = self.b.resize(cut, wide, signed);
        let fits = self.b.binary(BinaryOp::Eq, back, exact);
        if stores {
            let cut = self.keep(cut, [last]);
            let to = self.value(last);
            self.store_at(to, cut);
        } else {
            self.effect(last);
        }
        let overflows = self.b.not(fits);
        Some(self.b.truth_as_int(overflows, self.scalar(ty).bits() as u8))
    }

    fn classify(&mut self, builtin: Builtin, value: ExprId) -> ExprId {
        let nan = self.b.unary(UnaryOp::FIsNan, value);
        let infinite = self.b.unary(UnaryOp::FIsInf, value);
        let special = self.b.binary(BinaryOp::Or, nan, infinite);
        match builtin {
            Builtin::IsNan => nan,
            Builtin::IsInf => infinite,
            Builtin::SignBit => self.b.unary(UnaryOp::FSignBit, value),
            Builtin::IsFinite => self.b.not(special),
            _ => {
                let least = self.b.constant(self.b.ty(value), least_normal(self.b.ty(value)));
                let magnitude = self.b.unary(UnaryOp::FAbs, value);
                let large = self.b.binary(BinaryOp::FLe, least, magnitude);
                let finite = self.b.not(special);
                self.b.binary(BinaryOp::And, finite, large)
            }
        }
    }

    fn quiet_comparison(&mut self, builtin: Builtin, left: ExprId, right: ExprId) -> ExprId {
        match builtin {
            Builtin::IsGreater => self.b.binary(BinaryOp::FLt, right, left),
            Builtin::IsGreaterEqual => self.b.binary(BinaryOp::FLe, right, left),
            Builtin::IsLess => self.b.binary(BinaryOp::FLt, left, right),
            Builtin::IsLessEqual => self.b.binary(BinaryOp::FLe, left, right),
            Builtin::IsLessGreater => {
                let less = self.b.binary(BinaryOp::FLt, left, right);
                let greater = self.b.binary(BinaryOp::FLt, right, left);
                self.b.binary(BinaryOp::Or, less, greater)
            }
            _ => {
                let left = self.b.unary(UnaryOp::FIsNan, left);
                let right = self.b.unary(UnaryOp::FIsNan, right);
                self.b.binary(BinaryOp::Or, left, right)
            }
        }
    }
}

/// The bits of the least positive normal number.
fn least_normal(ty: Scalar) -> u128 {
    match ty {
        Scalar::Float(FloatKind::F32) => 1 << 23,
        Scalar::Float(FloatKind::F64) => 1 << 52,
        Scalar::Float(FloatKind::X87In12 | FloatKind::X87In16) => (1 << 64) | (1 << 63),
        _ => 1 << 112,
    }
}

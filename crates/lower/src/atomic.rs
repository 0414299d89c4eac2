//! Atomic operations as single edges. All orders act as sequentially consistent, so a fence is nothing.

use c_front::typed::{Atomic, AtomicOp, Expr, SwapResult, When};
use c_front::types as c;
use program::{Access, BinaryOp, CompareExchange, ExprId, Modify, Op, Order, Scalar, UnaryOp};

use crate::fold::Fold;
use crate::function::FunctionLowerer;
use crate::scan::atomic_operands;

impl FunctionLowerer<'_, '_> {
    /// Lowers an atomic operation; its value, if it has one, has the type `ty`.
    pub fn atomic(&mut self, atomic: &Atomic, ty: c::TypeId) -> Option<ExprId> {
        let pointer = match atomic {
            Atomic::Fence => return None,
            Atomic::Load { pointer }
            | Atomic::Store { pointer, .. }
            | Atomic::Modify { pointer, .. }
            | Atomic::CompareExchange { pointer, .. }
            | Atomic::CompareSwap { pointer, .. } => pointer,
        };
        let Some((object, scalar)) = self.object_type(pointer) else {
            self.unsupported("atomic operation on a record");
            return None;
        };
        let address = self.value(pointer);
        let address = self.keep(address, atomic_operands(atomic).into_iter().skip(1));
        let access = Access { address, ty: scalar, bits: None, order: Order::Atomic };
        match atomic {
            Atomic::Load { .. } => {
                let value = self.load(access);
                Some(self.convert_to(value, object, ty))
            }
            Atomic::Store { value, .. } => {
                let value = self.operand(value, object);
                self.emit(Op::Store { to: access, value });
                None
            }
            Atomic::Modify { op, value, result, .. } => Some(self.modify(access, *op, value, object, *result, ty)),
            Atomic::CompareExchange { expected, desired, weak, .. } => {
                Some(self.compare_exchange(access, expected, desired, object, *weak))
            }
            Atomic::CompareSwap { expected, desired, result, .. } => {
                let expected = self.operand(expected, object);
                let expected = self.keep(expected, [desired]);
                let desired = self.operand(desired, object);
                let (old, success) = self.exchange_if(access, expected, desired, false);
                Some(match result {
                    SwapResult::Old => self.convert_to(old, object, ty),
                    SwapResult::Success => self.b.truth_as_int(success, 8),
                })
            }
            Atomic::Fence => None,
        }
    }

    /// What a pointer to an atomic object points to, if that is a scalar.
    fn object_type(&self, pointer: &Expr) -> Option<(c::TypeId, Scalar)> {
        let c::Type::Pointer(target) = &self.unit.types.c[pointer.ty] else { return None };
        Some((target.ty, self.unit.types.scalar(target.ty)?))
    }

    fn operand(&mut self, value: &Expr, object: c::TypeId) -> ExprId {
        let operand = self.value(value);
        self.convert_c(operand, value.ty, object)
    }

    fn convert_to(&mut self, value: ExprId, from: c::TypeId, to: c::TypeId) -> ExprId {
        match self.unit.types.scalar(to) {
            Some(_) => self.convert_c(value, from, to),
            None => value,
        }
    }

    fn modify(
        &mut self,
        access: Access,
        op: AtomicOp,
        value: &Expr,
        object: c::TypeId,
        when: When,
        ty: c::TypeId,
    ) -> ExprId {
        let is_pointer = matches!(access.ty, Scalar::Pointer(_));
        let operand = if is_pointer && op != AtomicOp::Exchange {
            let (step, signed, word) = (self.value(value), self.unit.types.is_signed(value.ty), self.word());
            self.convert(step, signed, word, true)
        } else {
            self.operand(value, object)
        };
        let old = self.temp(access.ty);
        let before = self.b.local(old);
        let new = self.combine(op, before, operand);
        self.emit(Op::Modify(Box::new(Modify { access, old, new })));
        let result = if when == When::Before { before } else { new };
        self.convert_to(result, object, ty)
    }

    fn combine(&mut self, op: AtomicOp, old: ExprId, operand: ExprId) -> ExprId {
        if let (ty @ Scalar::Pointer(_), true) = (self.b.ty(old), op != AtomicOp::Exchange) {
            return self.combine_pointer(op, old, operand, ty);
        }
        let nand = op == AtomicOp::Nand;
        let op = match op {
            AtomicOp::Exchange => return operand,
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And | AtomicOp::Nand => BinaryOp::And,
            AtomicOp::Or => BinaryOp::Or,
            AtomicOp::Xor => BinaryOp::Xor,
        };
        let result = self.b.binary(op, old, operand);
        if nand { self.b.unary(UnaryOp::Not, result) } else { result }
    }

    fn combine_pointer(&mut self, op: AtomicOp, old: ExprId, operand: ExprId, ty: Scalar) -> ExprId {
        match op {
            AtomicOp::Add => self.b.binary(BinaryOp::PtrAdd, old, operand),
            AtomicOp::Sub => {
                let negated = self.b.unary(UnaryOp::Neg, operand);
                self.b.binary(BinaryOp::PtrAdd, old, negated)
            }
            _ => {
                let word = self.word();
                let bits = self.convert(old, false, word, false);
                let combined = self.combine(op, bits, operand);
                self.convert(combined, false, ty, false)
            }
        }
    }

    fn exchange_if(&mut self, access: Access, expected: ExprId, desired: ExprId, weak: bool) -> (ExprId, ExprId) {
        let (old, success) = (self.temp(access.ty), self.temp(Scalar::BOOL));
        self.emit(Op::CompareExchange(Box::new(CompareExchange { access, expected, desired, old, success, weak })));
        (self.b.local(old), self.b.local(success))
    }

    /// The expected value is read plainly and, on failure, replaced plainly by the one found.
    fn compare_exchange(
        &mut self,
        access: Access,
        expected: &Expr,
        desired: &Expr,
        object: c::TypeId,
        weak: bool,
    ) -> ExprId {
        let at = self.value(expected);
        let at = self.keep(at, [desired]);
        let desired = self.operand(desired, object);
        let wanted = self.load_at(at, access.ty);
        let (old, success) = self.exchange_if(access, wanted, desired, weak);
        self.if_else(success, |_| {}, |f| f.store_at(at, old));
        self.b.truth_as_int(success, 8)
    }
}

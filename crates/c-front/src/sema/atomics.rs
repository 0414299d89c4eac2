//! `__atomic_*`, `__sync_*` and the generic functions of `stdatomic.h`.

use base::Span;

use super::{Analyzer, Result, error};
use crate::ast;
use crate::typed::{
    Atomic, AtomicOp, Constant, Expr, ExprKind, Place, PlaceKind, Remark, RemarkKind, SwapResult, When,
};
use crate::types::{IntKind, QualType, Type, TypeId};

/// An atomic operation by its name; `bytes` is zero where the pointer's type says the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AtomicCall {
    Load {
        bytes: u8,
    },
    Store {
        bytes: u8,
    },
    Modify {
        op: AtomicOp,
        result: When,
        bytes: u8,
    },
    CompareExchange {
        bytes: u8,
    },
    CompareSwap {
        result: SwapResult,
        bytes: u8,
    },
    /// Stores zero.
    Release {
        bytes: u8,
    },
    GenericLoad,
    GenericStore,
    GenericExchange,
    GenericCompareExchange,
    TestAndSet,
    Clear,
    Fence,
    LockFree,
    StandardLoad,
    StandardStore,
    StandardModify {
        op: AtomicOp,
    },
    StandardCompareExchange {
        weak: bool,
    },
    /// `atomic_init`: a plain store.
    Init,
}

impl AtomicCall {
    pub fn sized(self, size: u8) -> AtomicCall {
        match self {
            AtomicCall::Load { .. } => AtomicCall::Load { bytes: size },
            AtomicCall::Store { .. } => AtomicCall::Store { bytes: size },
            AtomicCall::Modify { op, result, .. } => AtomicCall::Modify { op, result, bytes: size },
            AtomicCall::CompareExchange { .. } => AtomicCall::CompareExchange { bytes: size },
            AtomicCall::CompareSwap { result, .. } => AtomicCall::CompareSwap { result, bytes: size },
            AtomicCall::Release { .. } => AtomicCall::Release { bytes: size },
            other => other,
        }
    }

    /// How many arguments it must have at least.
    fn least(self) -> usize {
        match self {
            AtomicCall::Fence => 0,
            AtomicCall::Load { .. } | AtomicCall::Release { .. } | AtomicCall::StandardLoad => 1,
            AtomicCall::TestAndSet | AtomicCall::Clear | AtomicCall::LockFree => 1,
            AtomicCall::Store { .. } | AtomicCall::Modify { .. } | AtomicCall::Init => 2,
            AtomicCall::StandardStore | AtomicCall::StandardModify { .. } => 2,
            AtomicCall::GenericLoad | AtomicCall::GenericStore => 2,
            AtomicCall::CompareSwap { .. } | AtomicCall::GenericExchange => 3,
            AtomicCall::StandardCompareExchange { .. } => 3,
            AtomicCall::CompareExchange { .. } | AtomicCall::GenericCompareExchange => 4,
        }
    }
}

impl Analyzer {
    pub(crate) fn atomic_call(&mut self, call: AtomicCall, args: &[ast::Expr], span: Span) -> Result<Expr> {
        if args.len() < call.least() {
            return error(span, format!("this atomic function needs {} arguments", call.least()));
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.value(arg)?;
            values.push(value);
        }
        let used = used_arguments(call);
        let extra: Vec<Expr> = values.split_off(used.min(values.len()));
        let result = self.atomic_values(call, values, &extra, span)?;
        // The first of these is no order but says whether the exchange is weak.
        let skipped = matches!(call, AtomicCall::CompareExchange { .. } | AtomicCall::GenericCompareExchange);
        if extra.iter().skip(usize::from(skipped)).any(|order| self.is_weak_order(order)) {
            self.remarks.push(Remark { span, kind: RemarkKind::WeakOrder });
        }
        Ok(self.after_orders(extra, result))
    }

    /// Weaker than `memory_order_seq_cst`.
    fn is_weak_order(&self, order: &Expr) -> bool {
        const SEQUENTIALLY_CONSISTENT: Constant = Constant::Int(5);
        self.evaluator().evaluate(order) != Some(SEQUENTIALLY_CONSISTENT)
    }

    /// Memory orders are constants nearly always; others are evaluated for their effects.
    fn after_orders(&self, extra: Vec<Expr>, result: Expr) -> Expr {
        extra.into_iter().rev().fold(result, |result, order| {
            if matches!(order.kind, ExprKind::Constant(_) | ExprKind::Load(_))
                || self.evaluator().evaluate(&order).is_some()
            {
                return result;
            }
            let (ty, span) = (result.ty, result.span);
            Expr { kind: ExprKind::Comma(Box::new(order), Box::new(result)), ty, span }
        })
    }

    fn atomic_values(&mut self, call: AtomicCall, values: Vec<Expr>, extra: &[Expr], span: Span) -> Result<Expr> {
        use AtomicCall as A;
        let mut values = values.into_iter();
        let mut next = || values.next().expect("the number of arguments was checked");
        match call {
            A::Fence => Ok(self.atomic(Atomic::Fence, self.common.void, span)),
            A::LockFree => Ok(self.int_constant(1, self.common.boolean, span)),
            A::Load { bytes } => self.atomic_load(next(), bytes, span),
            A::StandardLoad => self.atomic_load(next(), 0, span),
            A::Store { bytes } => self.atomic_store(next(), next(), bytes, span),
            A::StandardStore => self.atomic_store(next(), next(), 0, span),
            A::Release { bytes } => {
                let zero = self.int_constant(0, self.common.int, span);
                self.atomic_store(next(), zero, bytes, span)
            }
            A::Modify { op, result, bytes, .. } => self.atomic_modify((next(), next()), op, result, bytes, span),
            A::StandardModify { op } => self.atomic_modify((next(), next()), op, When::Before, 0, span),
            A::CompareExchange { bytes } => {
                let weak = extra.first().and_then(|weak| self.evaluator().truth(weak)).unwrap_or(true);
                self.compare_exchange((next(), next(), next()), weak, bytes, span)
            }
            A::StandardCompareExchange { weak } => self.compare_exchange((next(), next(), next()), weak, 0, span),
            A::CompareSwap { result, bytes } => self.compare_swap((next(), next(), next()), result, bytes, span),
            A::GenericLoad => {
                let value = self.atomic_load(next(), 0, span)?;
                self.store_through(next(), value, span)
            }
            A::GenericStore => {
                let pointer = next();
                let value = self.load_through(next(), span)?;
                self.atomic_store(pointer, value, 0, span)
            }
            A::GenericExchange => {
                let pointer = next();
                let value = self.load_through(next(), span)?;
                let old = self.atomic_modify((pointer, value), AtomicOp::Exchange, When::Before, 0, span)?;
                self.store_through(next(), old, span)
            }
            A::GenericCompareExchange => {
                let weak = extra.first().and_then(|weak| self.evaluator().truth(weak)).unwrap_or(true);
                let (pointer, expected) = (next(), next());
                let desired = self.load_through(next(), span)?;
                self.compare_exchange((pointer, expected, desired), weak, 0, span)
            }
            A::TestAndSet => {
                let pointer = self.flag_pointer(next())?;
                let one = self.int_constant(1, self.common.boolean, span);
                self.atomic_modify((pointer, one), AtomicOp::Exchange, When::Before, 0, span)
            }
            A::Clear => {
                let pointer = self.flag_pointer(next())?;
                let zero = self.int_constant(0, self.common.boolean, span);
                self.atomic_store(pointer, zero, 0, span)
            }
            A::Init => {
                let pointer = next();
                let value = next();
                self.store_through(pointer, value, span)
            }
        }
    }

    fn atomic(&self, atomic: Atomic, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Atomic(Box::new(atomic)), ty, span }
    }

    /// The pointer, cast if a size was named that its target does not have, and the type of the object.
    fn atomic_object(&mut self, pointer: Expr, bytes: u8) -> Result<(Expr, TypeId)> {
        let Some(target) = self.types.pointee(pointer.ty) else {
            let text = self.type_text(pointer.ty);
            return error(pointer.span, format!("an atomic function needs a pointer, not a value of type ‘{text}’"));
        };
        let sized =
            bytes != 0 && (self.types.size_of(target.ty) != Some(u64::from(bytes)) || !self.types.is_scalar(target.ty));
        if sized {
            let ty = self.int_type(unsigned_of(bytes, self.types.data_model));
            let to = self.types.pointer_to(QualType { ty, quals: target.quals });
            return Ok((self.convert(pointer, to), ty));
        }
        if matches!(self.types[target.ty], Type::Void) || !self.types.is_complete(target.ty) {
            let text = self.type_text(pointer.ty);
            return error(pointer.span, format!("an atomic function cannot work through ‘{text}’"));
        }
        Ok((pointer, target.ty))
    }

    fn flag_pointer(&mut self, pointer: Expr) -> Result<Expr> {
        let Some(target) = self.types.pointee(pointer.ty) else {
            return error(pointer.span, "an atomic flag is used through a pointer");
        };
        let to = self.types.pointer_to(QualType { ty: self.common.boolean, quals: target.quals });
        Ok(self.convert(pointer, to))
    }

    fn atomic_load(&mut self, pointer: Expr, bytes: u8, span: Span) -> Result<Expr> {
        let (pointer, ty) = self.atomic_object(pointer, bytes)?;
        Ok(self.atomic(Atomic::Load { pointer }, ty, span))
    }

    fn atomic_store(&mut self, pointer: Expr, value: Expr, bytes: u8, span: Span) -> Result<Expr> {
        let (pointer, ty) = self.atomic_object(pointer, bytes)?;
        let value = self.assignable(value, ty, "atomic store")?;
        Ok(self.atomic(Atomic::Store { pointer, value }, self.common.void, span))
    }

    fn atomic_modify(
        &mut self,
        (pointer, value): (Expr, Expr),
        op: AtomicOp,
        result: When,
        bytes: u8,
        span: Span,
    ) -> Result<Expr> {
        let (pointer, ty) = self.atomic_object(pointer, bytes)?;
        // On a pointer these functions add bytes, so the amount stays an integer.
        let operand = match self.types[ty] {
            Type::Pointer(_) if op != AtomicOp::Exchange => self.common.size,
            _ => ty,
        };
        if op != AtomicOp::Exchange && !self.types.is_integer(ty) && !self.types.is_pointer(ty) {
            let text = self.type_text(ty);
            return error(span, format!("atomic arithmetic on an object of type ‘{text}’ is not possible"));
        }
        let value = self.assignable(value, operand, "atomic operation")?;
        Ok(self.atomic(Atomic::Modify { pointer, op, value, result }, ty, span))
    }

    fn compare_exchange(
        &mut self,
        (pointer, expected, desired): (Expr, Expr, Expr),
        weak: bool,
        bytes: u8,
        span: Span,
    ) -> Result<Expr> {
        let (pointer, ty) = self.atomic_object(pointer, bytes)?;
        if !self.types.is_pointer(expected.ty) {
            return error(expected.span, "the expected value is passed by pointer");
        }
        let to = self.types.pointer_to(QualType::plain(ty));
        let expected = self.convert(expected, to);
        let desired = self.assignable(desired, ty, "atomic exchange")?;
        let atomic = Atomic::CompareExchange { pointer, expected, desired, weak };
        Ok(self.atomic(atomic, self.common.boolean, span))
    }

    fn compare_swap(
        &mut self,
        (pointer, expected, desired): (Expr, Expr, Expr),
        result: SwapResult,
        bytes: u8,
        span: Span,
    ) -> Result<Expr> {
        let (pointer, ty) = self.atomic_object(pointer, bytes)?;
        let expected = self.assignable(expected, ty, "atomic exchange")?;
        let desired = self.assignable(desired, ty, "atomic exchange")?;
        let whole = match result {
            SwapResult::Old => ty,
            SwapResult::Success => self.common.boolean,
        };
        Ok(self.atomic(Atomic::CompareSwap { pointer, expected, desired, result }, whole, span))
    }

    fn through(&self, pointer: Expr, span: Span) -> Result<Place> {
        match self.types.pointee(pointer.ty) {
            Some(target) if self.types.is_complete(target.ty) => {
                Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty: target.unqualified(), span })
            }
            _ => error(pointer.span, "an atomic function needs a pointer to an object here"),
        }
    }

    fn load_through(&mut self, pointer: Expr, span: Span) -> Result<Expr> {
        let place = self.through(pointer, span)?;
        let ty = place.ty.ty;
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    fn store_through(&mut self, pointer: Expr, value: Expr, span: Span) -> Result<Expr> {
        let place = self.through(pointer, span)?;
        let ty = place.ty.ty;
        let value = self.assignable(value, ty, "atomic operation")?;
        let assign = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span };
        Ok(self.to_void(assign))
    }
}

/// Arguments that are operands; what follows are orders and, for compare-exchange, the weak flag.
fn used_arguments(call: AtomicCall) -> usize {
    match call {
        AtomicCall::Fence | AtomicCall::LockFree => 0,
        AtomicCall::CompareExchange { .. } | AtomicCall::GenericCompareExchange => 3,
        other => other.least(),
    }
}

fn unsigned_of(bytes: u8, model: crate::types::DataModel) -> IntKind {
    match bytes {
        1 => IntKind::UChar,
        2 => IntKind::UShort,
        4 => IntKind::UInt,
        8 if IntKind::ULong.bits(model) == 64 => IntKind::ULong,
        8 => IntKind::ULongLong,
        _ => IntKind::UInt128,
    }
}

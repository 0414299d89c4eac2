//! Questions about typed expressions that are asked before they are lowered. Each gives up, on the safe side, on large trees,
//! so that asking at every level of a deep tree stays cheap.

use c_front::typed::{Atomic, Callee, Expr, ExprKind, Place, PlaceKind, Unary};

use crate::function::{FunctionLowerer, Slot};

const PATIENCE: u32 = 200;

/// May evaluating it change a plain local or call a function?
pub fn has_effects(expr: &Expr) -> bool {
    effects(expr, &mut PATIENCE.clone())
}

fn effects(expr: &Expr, left: &mut u32) -> bool {
    if *left == 0 {
        return true;
    }
    *left -= 1;
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::FunctionAddress(_) | ExprKind::LabelAddress(_) | ExprKind::SizeOfVla(_) => {
            false
        }
        ExprKind::Load(place) | ExprKind::AddressOf(place) => place_effects(place, left),
        ExprKind::Unary(_, e) | ExprKind::Cast(e) => effects(e, left),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Offset { pointer: a, index: b, .. }
        | ExprKind::Difference { left: a, right: b, .. } => effects(a, left) || effects(b, left),
        ExprKind::Conditional(a, b, c) => effects(a, left) || effects(b, left) || effects(c, left),
        ExprKind::Atomic(atomic) => match &**atomic {
            Atomic::Load { pointer } => effects(pointer, left),
            _ => true,
        },
        ExprKind::Builtin(_, args) => args.iter().any(|e| effects(e, left)),
        ExprKind::Assign(..)
        | ExprKind::AssignOp { .. }
        | ExprKind::AssignOffset { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Call { .. }
        | ExprKind::Statement(..)
        | ExprKind::VaArg(_) => true,
    }
}

fn place_effects(place: &Place, left: &mut u32) -> bool {
    match &place.kind {
        PlaceKind::Object(_) | PlaceKind::Local(_) | PlaceKind::String(_) => false,
        PlaceKind::Deref(pointer) => effects(pointer, left),
        PlaceKind::Field { base, .. } => place_effects(base, left),
        PlaceKind::Compound(..) | PlaceKind::Temporary(_) => true,
    }
}

/// Does evaluating it need no edge, and can it not fail? Then it need not be control flow.
pub fn is_simple(f: &FunctionLowerer<'_, '_>, expr: &Expr) -> bool {
    simple(f, expr, &mut PATIENCE.clone())
}

fn simple(f: &FunctionLowerer<'_, '_>, expr: &Expr, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    let types = &f.unit.types;
    let is_float = |e: &Expr| matches!(types.scalar(e.ty), Some(program::Scalar::Float(_)));
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::FunctionAddress(_) => true,
        ExprKind::Load(place) => match place.kind {
            PlaceKind::Local(local) => matches!(f.slots[local], Some(Slot::Plain(_))),
            _ => false,
        },
        ExprKind::AddressOf(place) => matches!(place.kind, PlaceKind::Object(_) | PlaceKind::Local(_)),
        ExprKind::Unary(op, e) => {
            (*op != Unary::Negate || is_float(e) || !types.is_signed(expr.ty)) && simple(f, e, left)
        }
        ExprKind::Binary(op, a, b) => cannot_fail(f, *op, expr) && simple(f, a, left) && simple(f, b, left),
        ExprKind::Cast(e) => {
            let in_range = is_float(expr) || !is_float(e);
            in_range && types.scalar(expr.ty).is_some() && simple(f, e, left)
        }
        ExprKind::Compare(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
            simple(f, a, left) && simple(f, b, left)
        }
        ExprKind::Conditional(a, b, c) => {
            types.scalar(expr.ty).is_some() && simple(f, a, left) && simple(f, b, left) && simple(f, c, left)
        }
        _ => false,
    }
}

fn cannot_fail(f: &FunctionLowerer<'_, '_>, op: c_front::typed::Binary, expr: &Expr) -> bool {
    use c_front::typed::Binary::*;
    let types = &f.unit.types;
    match op {
        And | Or | Xor => true,
        Add | Sub | Mul => !types.is_signed(expr.ty),
        Div | Rem | Shl | Shr => matches!(types.scalar(expr.ty), Some(program::Scalar::Float(_))),
    }
}

/// Does the statement's call, if it is one, name its callee directly? (Then its arguments are all it needs of the frame.)
pub fn as_call(expr: &Expr) -> Option<(&Callee, &[Expr])> {
    match &expr.kind {
        ExprKind::Call { callee, args } => Some((callee, args)),
        ExprKind::Cast(inner) => as_call(inner),
        _ => None,
    }
}

//! Queries about typed expressions before they are lowered. Each gives up, on the safe side, on large trees,
//! so that a query at every level of a deep tree stays cheap.

use c_front::typed::{Atomic, Callee, Constant, Expr, ExprKind, Place, PlaceKind, Unary};

use crate::function::{FunctionLowerer, Slot};

const PATIENCE: u32 = 200;

/// What evaluating an expression may do to what was evaluated before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    None,
    /// It calls a function, which may never come back. Plain locals stay as they are.
    Calls,
    ChangesLocals,
}

pub fn effect(expr: &Expr) -> Effect {
    of_expr(expr, &mut PATIENCE.clone())
}

fn of_expr(expr: &Expr, left: &mut u32) -> Effect {
    if *left == 0 {
        return Effect::ChangesLocals;
    }
    *left -= 1;
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::FunctionAddress(_) | ExprKind::LabelAddress(_) | ExprKind::SizeOfVla(_) => {
            Effect::None
        }
        ExprKind::Load(place) | ExprKind::AddressOf(place) => of_place(place, left),
        ExprKind::Unary(_, e) | ExprKind::Cast(e) | ExprKind::VaArg(e) => of_expr(e, left),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Offset { pointer: a, index: b, .. }
        | ExprKind::Difference { left: a, right: b, .. } => of_expr(a, left).max(of_expr(b, left)),
        ExprKind::Conditional(a, b, c) => of_expr(a, left).max(of_expr(b, left)).max(of_expr(c, left)),
        ExprKind::Atomic(atomic) => of_all(&atomic_operands(atomic), left),
        ExprKind::Builtin(_, args) => of_all(&args.iter().collect::<Vec<_>>(), left),
        ExprKind::Call { callee, args } => {
            let callee = match callee {
                Callee::Direct(_) => Effect::None,
                Callee::Indirect(pointer) => of_expr(pointer, left),
            };
            of_all(&args.iter().collect::<Vec<_>>(), left).max(callee).max(Effect::Calls)
        }
        ExprKind::Assign(..)
        | ExprKind::AssignOp { .. }
        | ExprKind::AssignOffset { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Statement(..) => Effect::ChangesLocals,
    }
}

fn of_all(exprs: &[&Expr], left: &mut u32) -> Effect {
    exprs.iter().map(|e| of_expr(e, left)).max().unwrap_or(Effect::None)
}

fn of_place(place: &Place, left: &mut u32) -> Effect {
    match &place.kind {
        PlaceKind::Object(_) | PlaceKind::Local(_) | PlaceKind::String(_) => Effect::None,
        PlaceKind::Deref(pointer) => of_expr(pointer, left),
        PlaceKind::Field { base, .. } => of_place(base, left),
        PlaceKind::Temporary(value) => of_expr(value, left),
        PlaceKind::Compound(..) => Effect::ChangesLocals,
    }
}

/// What an atomic operation evaluates, in order.
pub fn atomic_operands(atomic: &Atomic) -> Vec<&Expr> {
    match atomic {
        Atomic::Fence => Vec::new(),
        Atomic::Load { pointer } => vec![pointer],
        Atomic::Store { pointer, value } | Atomic::Modify { pointer, value, .. } => vec![pointer, value],
        Atomic::CompareExchange { pointer, expected, desired, .. }
        | Atomic::CompareSwap { pointer, expected, desired, .. } => vec![pointer, expected, desired],
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
            let in_range = *op != Unary::Negate || is_float(e) || !types.is_signed(expr.ty) || is_positive(f, e);
            in_range && simple(f, e, left)
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

/// A constant whose negative exists.
fn is_positive(f: &FunctionLowerer<'_, '_>, expr: &Expr) -> bool {
    let bits = f.scalar(expr.ty).bits();
    matches!(expr.kind, ExprKind::Constant(Constant::Int(value)) if value >> (bits - 1) == 0)
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

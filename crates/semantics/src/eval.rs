//! Evaluation of pure expressions, over any domain of values: the operators' meaning is the domain's, how expressions are made of
//! them is here.

use program::{BinaryOp, Cast, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};

/// Values and what operators do to them.
pub trait Domain {
    type Value: Clone;
    /// Why an expression has no value.
    type Stop;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Self::Value;
    fn local(&mut self, local: LocalId) -> Result<Self::Value, Self::Stop>;
    fn local_address(&mut self, local: LocalId) -> Result<Self::Value, Self::Stop>;
    fn global_address(&mut self, global: GlobalId) -> Self::Value;
    fn function_address(&mut self, function: FunctionId) -> Self::Value;
    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Self::Value) -> Result<Self::Value, Self::Stop>;
    /// `ty` is the type of the left operand, `right` that of the right one.
    fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        a: Self::Value,
        right: Scalar,
        b: Self::Value,
    ) -> Result<Self::Value, Self::Stop>;
    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Self::Value) -> Result<Self::Value, Self::Stop>;
    /// What a truth value is, if that is known.
    fn decide(&mut self, condition: &Self::Value) -> Option<bool>;
    /// Either of two values, by a condition that is not known. Law: contains both.
    fn join(&mut self, condition: &Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;
}

/// Evaluates an expression of `function`. A fault in an arm of a conditional counts only where that arm can be chosen.
pub fn eval<D: Domain>(domain: &mut D, function: &Function, id: ExprId) -> Result<D::Value, D::Stop> {
    let expr = function.exprs[id];
    match expr.kind {
        ExprKind::Const(bits) => Ok(domain.constant(expr.ty, u128::from(bits))),
        ExprKind::Wide(index) => Ok(domain.constant(expr.ty, function.wide[index as usize])),
        ExprKind::Local(local) => domain.local(local),
        ExprKind::LocalAddress(local) => domain.local_address(local),
        ExprKind::GlobalAddress(global) => Ok(domain.global_address(global)),
        ExprKind::FunctionAddress(id) => Ok(domain.function_address(id)),
        ExprKind::Unary(op, a) => {
            let ty = function.exprs[a].ty;
            let a = eval(domain, function, a)?;
            domain.unary(op, ty, a)
        }
        ExprKind::Binary(op, a, b) => {
            let (ty, right) = (function.exprs[a].ty, function.exprs[b].ty);
            let a = eval(domain, function, a)?;
            let b = eval(domain, function, b)?;
            domain.binary(op, ty, a, right, b)
        }
        ExprKind::Cast(cast, a) => {
            let from = function.exprs[a].ty;
            let a = eval(domain, function, a)?;
            domain.cast(cast, from, expr.ty, a)
        }
        ExprKind::If(condition, then, otherwise) => {
            let condition = eval(domain, function, condition)?;
            match domain.decide(&condition) {
                Some(true) => eval(domain, function, then),
                Some(false) => eval(domain, function, otherwise),
                None => {
                    let then = eval(domain, function, then)?;
                    let otherwise = eval(domain, function, otherwise)?;
                    Ok(domain.join(&condition, then, otherwise))
                }
            }
        }
    }
}

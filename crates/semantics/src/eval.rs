//! Evaluation of pure expressions, over any domain of values: the operators' meaning is the domain's, how expressions are made of
//! them is here. Recursion is open: every subexpression goes through [`Domain::expression`], where a domain may answer for it as a
//! whole, and a domain that cannot decide a condition has a hook for entering and leaving an arm under it.

use program::{BinaryOp, Cast, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};

/// Values and what operators do to them.
pub trait Domain: Sized {
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
    fn decide(&mut self, condition: &Self::Value) -> Result<Option<bool>, Self::Stop>;
    /// Either of two values of type `ty`, by a condition that is not known. Law: contains both.
    fn join(
        &mut self,
        ty: Scalar,
        condition: &Self::Value,
        a: Self::Value,
        b: Self::Value,
    ) -> Result<Self::Value, Self::Stop>;

    /// The value of a whole expression. A domain may answer without [`walk`], or change what that gives.
    #[inline]
    fn expression(&mut self, function: &Function, id: ExprId) -> Result<Self::Value, Self::Stop> {
        walk(self, function, id)
    }

    /// What follows counts only where the condition, which could not be decided, has this truth value.
    #[inline]
    fn enter_arm(&mut self, _condition: &Self::Value, _truth: bool) -> Result<(), Self::Stop> {
        Ok(())
    }

    /// The end of the arm that was entered last, with its value; a domain may go on though there is none.
    #[inline]
    fn leave_arm(&mut self, value: Result<Self::Value, Self::Stop>) -> Result<Self::Value, Self::Stop> {
        value
    }
}

/// Evaluates an expression of `function`.
#[inline]
pub fn eval<D: Domain>(domain: &mut D, function: &Function, id: ExprId) -> Result<D::Value, D::Stop> {
    domain.expression(function, id)
}

/// Evaluates an expression by its operator and the values of its operands. A fault in an arm of a conditional counts only where that
/// arm can be chosen.
pub fn walk<D: Domain>(domain: &mut D, function: &Function, id: ExprId) -> Result<D::Value, D::Stop> {
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
            match domain.decide(&condition)? {
                Some(true) => eval(domain, function, then),
                Some(false) => eval(domain, function, otherwise),
                None => {
                    let then = arm(domain, function, &condition, true, then)?;
                    let otherwise = arm(domain, function, &condition, false, otherwise)?;
                    domain.join(expr.ty, &condition, then, otherwise)
                }
            }
        }
    }
}

/// An arm that is chosen where the condition has this truth value.
fn arm<D: Domain>(
    domain: &mut D,
    function: &Function,
    condition: &D::Value,
    truth: bool,
    id: ExprId,
) -> Result<D::Value, D::Stop> {
    domain.enter_arm(condition, truth)?;
    let value = eval(domain, function, id);
    domain.leave_arm(value)
}

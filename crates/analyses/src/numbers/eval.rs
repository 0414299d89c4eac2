//! Expressions of a program as expressions of a numerical domain. What depends on pointers is queried from the component that keeps
//! them, floating numbers are not kept.

use program::{
    BinaryOp, Cast, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, Program, Scalar, Storage, UnaryOp,
};
use semantics::{Domain, eval, walk};

use super::Numbers;
use super::domain::{Full, Made, NumericalDomain, Outcome};
use super::variables::{VarId, Variable, kept_width};
use crate::step::{Known, Queries};

/// One expression under evaluation.
pub(super) struct Evaluation<'a, 'p, D: NumericalDomain> {
    numbers: &'a mut Numbers<'p, D>,
    /// Only these valuations matter.
    set: D::Set,
    thread: u32,
    depth: u32,
    function: FunctionId,
    /// Answers about pointers; `None` if the state is not the one before the step any more.
    others: Option<&'a mut dyn Queries>,
    /// Where each arm that was entered is evaluated.
    guards: Vec<D::Expr>,
    /// Where there is no value.
    pub fault: D::Expr,
    /// Where a signed operation leaves its range.
    pub overflow: D::Expr,
    /// Variables that were met.
    pub reads: Vec<VarId>,
}

impl<'a, 'p, D: NumericalDomain> Evaluation<'a, 'p, D> {
    pub fn new(
        numbers: &'a mut Numbers<'p, D>,
        set: D::Set,
        (thread, depth, function): (u32, u32, FunctionId),
        others: Option<&'a mut dyn Queries>,
    ) -> Self {
        let (always, never) = (numbers.domain.constant(1, 1), numbers.domain.constant(0, 1));
        let (fault, overflow) = (never.clone(), never);
        let guards = vec![always];
        Evaluation { numbers, set, thread, depth, function, others, guards, fault, overflow, reads: Vec::new() }
    }

    pub fn expr(&mut self, id: ExprId) -> Made<D::Expr> {
        let program = self.numbers.program;
        eval(self, &program.functions[self.function], id)
    }

    fn unknown(&mut self, width: u32) -> D::Expr {
        self.numbers.domain.unknown(width)
    }

    fn address(&mut self) -> D::Expr {
        self.unknown(self.numbers.program.machine.pointer_bits.into())
    }

    fn connect(&mut self, op: BinaryOp, a: &D::Expr, b: &D::Expr) -> Made<D::Expr> {
        let outcome = self.numbers.domain.binary(&self.set, op, Scalar::BOOL, a, Scalar::BOOL, b)?;
        Ok(outcome.value)
    }

    /// A condition that matters only where the arm is evaluated at all.
    fn guarded(&mut self, condition: &D::Expr) -> Made<D::Expr> {
        let guard = self.guards.last().expect("the first is never left").clone();
        self.connect(BinaryOp::And, &guard, condition)
    }

    fn fault_where(&mut self, condition: &D::Expr) -> Made<()> {
        let here = self.guarded(condition)?;
        self.fault = self.connect(BinaryOp::Or, &self.fault.clone(), &here)?;
        Ok(())
    }

    fn overflow_where(&mut self, condition: &D::Expr) -> Made<()> {
        let here = self.guarded(condition)?;
        self.overflow = self.connect(BinaryOp::Or, &self.overflow.clone(), &here)?;
        Ok(())
    }

    fn noted(&mut self, outcome: Outcome<D::Expr>) -> Made<D::Expr> {
        if let Some(condition) = outcome.fault {
            self.fault_where(&condition)?;
        }
        if let Some(condition) = outcome.overflow {
            self.overflow_where(&condition)?;
        }
        Ok(outcome.value)
    }
}

impl<D: NumericalDomain> Domain for Evaluation<'_, '_, D> {
    type Value = D::Expr;
    type Stop = Full;

    fn constant(&mut self, ty: Scalar, bits: u128) -> D::Expr {
        self.numbers.domain.constant(bits, ty.bits())
    }

    fn local(&mut self, local: LocalId) -> Made<D::Expr> {
        let Storage::Plain(ty) = self.numbers.program.functions[self.function].locals[local].storage else {
            unreachable!("a local in memory has no value");
        };
        let Some(width) = kept_width(self.numbers.program, self.function, local) else {
            return Ok(self.unknown(ty.bits()));
        };
        let (thread, depth, function) = (self.thread, self.depth, self.function);
        let id = self.numbers.variable(Variable::Local { thread, depth, function, local }, width)?;
        self.reads.push(id);
        Ok(self.numbers.domain.variable(&self.set, id))
    }

    fn local_address(&mut self, _: LocalId) -> Made<D::Expr> {
        Ok(self.address())
    }

    fn global_address(&mut self, _: GlobalId) -> D::Expr {
        self.address()
    }

    fn function_address(&mut self, _: FunctionId) -> D::Expr {
        self.address()
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: D::Expr) -> Made<D::Expr> {
        if matches!(ty, Scalar::Float(_)) {
            let is_test = matches!(op, UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit);
            return Ok(self.unknown(if is_test { 1 } else { ty.bits() }));
        }
        let outcome = self.numbers.domain.unary(&self.set, op, ty, &a)?;
        self.noted(outcome)
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: D::Expr, right: Scalar, b: D::Expr) -> Made<D::Expr> {
        if matches!(ty, Scalar::Float(_)) {
            let is_test = matches!(op, BinaryOp::Eq | BinaryOp::FLt | BinaryOp::FLe);
            return Ok(self.unknown(if is_test { 1 } else { ty.bits() }));
        }
        let outcome = self.numbers.domain.binary(&self.set, op, ty, &a, right, &b)?;
        self.noted(outcome)
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: D::Expr) -> Made<D::Expr> {
        let domain = &mut self.numbers.domain;
        Ok(match cast {
            Cast::Trunc | Cast::ZExt | Cast::IntToPtr | Cast::PtrToInt => domain.zero_extend(&a, to.bits()),
            Cast::SExt => domain.sign_extend(&a, from.bits(), to.bits()),
            Cast::FloatToSigned | Cast::FloatToUnsigned => {
                // Out of range, wide ones have no value.
                if to.bits() > 64 {
                    let perhaps = self.unknown(1);
                    self.fault_where(&perhaps)?;
                }
                self.unknown(to.bits())
            }
            Cast::SignedToFloat | Cast::UnsignedToFloat | Cast::FloatToFloat => domain.unknown(to.bits()),
        })
    }

    fn decide(&mut self, condition: &D::Expr) -> Made<Option<bool>> {
        let value = self.numbers.domain.only_value(&self.set, condition)?;
        Ok(value.map(|bits| bits != 0))
    }

    fn join(&mut self, _: Scalar, condition: &D::Expr, a: D::Expr, b: D::Expr) -> Made<D::Expr> {
        self.numbers.domain.choose(condition, &a, &b)
    }

    fn expression(&mut self, function: &Function, id: ExprId) -> Made<D::Expr> {
        let ty = function.exprs[id].ty;
        if is_of_pointers(self.numbers.program, function, id)
            && let Some(others) = &mut self.others
            && let Known::Bits(bits) = others.value(self.thread, self.function, id)
        {
            return Ok(self.numbers.domain.constant(bits.into(), ty.bits()));
        }
        let value = walk(self, function, id)?;
        // Faults inside a floating expression count though its value is not kept.
        Ok(if matches!(ty, Scalar::Float(_)) { self.unknown(ty.bits()) } else { value })
    }

    fn enter_arm(&mut self, condition: &D::Expr, truth: bool) -> Made<()> {
        let condition = match truth {
            true => condition.clone(),
            false => self.numbers.not(&self.set, condition)?,
        };
        let guard = self.guarded(&condition)?;
        self.guards.push(guard);
        Ok(())
    }

    fn leave_arm(&mut self, value: Made<D::Expr>) -> Made<D::Expr> {
        self.guards.pop();
        value
    }
}

/// May it depend on what pointers are?
fn is_of_pointers(program: &Program, function: &Function, id: ExprId) -> bool {
    let expr = function.exprs[id];
    let word = program.machine.pointer_bits;
    let is_pointer = |ty: Scalar| matches!(ty, Scalar::Pointer(_));
    match expr.kind {
        ExprKind::Const(_) | ExprKind::Wide(_) => false,
        ExprKind::Cast(Cast::PtrToInt, _) => true,
        // Integers of that width may hold handles, or pointers that were turned into numbers.
        ExprKind::Binary(_, a, b) if expr.ty == Scalar::BOOL => [a, b].iter().any(|x| {
            let ty = function.exprs[*x].ty;
            is_pointer(ty) || ty == Scalar::Int(word)
        }),
        ExprKind::Binary(BinaryOp::PtrDiff, ..) => true,
        _ => is_pointer(expr.ty),
    }
}

#[cfg(test)]
mod tests {
    use program::Expr;

    use super::*;
    use crate::bdd::{Bdd, Options};

    const INT: Scalar = Scalar::Int(32);

    /// Whether there may be no value, and whether a signed operation may leave its range, whatever locals are.
    fn may(program: &Program, function: FunctionId, expr: ExprId) -> [bool; 2] {
        let mut numbers = Bdd::new(program, Options { nodes: 1 << 16, cache: 1 << 14 });
        let all = numbers.domain.valuations(&[]).unwrap();
        let mut evaluation = Evaluation::new(&mut numbers, all.clone(), (0, 0, function), None);
        evaluation.expr(expr).unwrap();
        let Evaluation { fault, overflow, .. } = evaluation;
        [fault, overflow].map(|condition| numbers.domain.only_value(&all, &condition) != Ok(Some(0)))
    }

    #[test]
    fn faults_and_overflows_count_in_the_arm_that_is_chosen() {
        let mut program = testing::program("extern int f(void); int main(void) { int x = f(); return x; }");
        let (id, _) = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main").unwrap();
        let function = &mut program.functions[id];
        let (local, _) = function.locals.iter_enumerated().find(|(_, local)| &*local.name == "x").unwrap();
        let mut expr = |kind: ExprKind, ty: Scalar| function.exprs.push(Expr { kind, ty });
        let (x, zero) = (expr(ExprKind::Local(local), INT), expr(ExprKind::Const(0), INT));
        let (one, hundred) = (expr(ExprKind::Const(1), INT), expr(ExprKind::Const(100), INT));
        let sum = expr(ExprKind::Binary(BinaryOp::SAdd, x, one), INT);
        let quotient = expr(ExprKind::Binary(BinaryOp::SDiv, hundred, x), INT);
        let is_small = expr(ExprKind::Binary(BinaryOp::SLt, x, hundred), Scalar::BOOL);
        let is_zero = expr(ExprKind::Binary(BinaryOp::Eq, x, zero), Scalar::BOOL);
        let small_sum = expr(ExprKind::If(is_small, sum, zero), INT);
        let large_sum = expr(ExprKind::If(is_small, zero, sum), INT);
        let checked = expr(ExprKind::If(is_zero, zero, quotient), INT);
        let mistaken = expr(ExprKind::If(is_zero, quotient, zero), INT);
        let nested = expr(ExprKind::If(is_small, checked, sum), INT);
        for (expr, expected) in [
            (sum, [false, true]),
            (small_sum, [false, false]),
            (large_sum, [false, true]),
            (quotient, [true, false]),
            (checked, [false, false]),
            (mistaken, [true, false]),
            (nested, [false, true]),
        ] {
            assert_eq!(may(&program, id, expr), expected, "{:?}", program.functions[id].exprs[expr]);
        }
    }
}

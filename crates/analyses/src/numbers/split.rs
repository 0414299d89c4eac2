//! Sets of valuations are split where the other components must know a number: an index, a size, the number of a key.

use program::{BinaryOp, ExprId, ExprKind, Function, Op, Scalar};

use super::domain::{Full, Made, NumericalDomain};
use super::eval::Evaluation;
use super::{Numbers, NumbersState};
use crate::memory::step::queried;
use crate::step::Step;

/// Numbers with more values stay together: then the other components give up.
const MOST: usize = 64;

impl<D: NumericalDomain> Numbers<'_, D> {
    /// States in which the numbers that the step needs are known, as far as there are few enough values.
    pub(super) fn split(&mut self, state: NumbersState<D::Set>, step: &Step, out: &mut Vec<NumbersState<D::Set>>) {
        let function = &self.program.functions[step.function];
        let needed = needed(function, &function.edges[step.edge].op);
        let mut sets = vec![state.set.clone()];
        for expr in needed {
            let mut parts = Vec::new();
            for set in &sets {
                match self.values(&state, set, step, expr) {
                    Ok(Some(split)) => parts.extend(split),
                    Ok(None) | Err(Full) => parts.push(set.clone()),
                }
            }
            sets = parts;
        }
        out.extend(sets.into_iter().map(|set| NumbersState {
            set,
            frames: state.frames.clone(),
            slots: state.slots.clone(),
        }));
    }

    fn values(
        &mut self,
        state: &NumbersState<D::Set>,
        set: &D::Set,
        step: &Step,
        expr: ExprId,
    ) -> Made<Option<Vec<D::Set>>> {
        let at = (step.thread, state.frames.depth(step.thread), step.function);
        let value = Evaluation::new(self, set.clone(), at, None).expr(expr)?;
        match self.domain.only_value(set, &value)? {
            Some(_) => Ok(None),
            None => self.domain.split(set, &value, MOST),
        }
    }
}

/// The expressions of a step.
pub(super) fn roots(op: &Op) -> Vec<ExprId> {
    let mut roots = Vec::new();
    op.operands(&mut |expr, _| roots.push(expr));
    roots
}

/// The numbers that a step's pointers depend on, and those that other components query.
fn needed(function: &Function, op: &Op) -> Vec<ExprId> {
    let is_number = |expr: &ExprId| matches!(function.exprs[*expr].ty, Scalar::Int(_));
    let mut needed: Vec<ExprId> = queried(op).into_iter().filter(is_number).collect();
    if let Op::Allocate(allocate) = op {
        needed.push(allocate.size);
    }
    for root in roots(op) {
        inside(function, root, &mut needed);
    }
    needed.sort_unstable();
    needed.dedup();
    needed.retain(|expr| !matches!(function.exprs[*expr].kind, ExprKind::Const(_)));
    needed
}

/// Numbers that pointers are moved by, and conditions that choose between pointers.
fn inside(function: &Function, expr: ExprId, needed: &mut Vec<ExprId>) {
    match function.exprs[expr].kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => inside(function, a, needed),
        ExprKind::Binary(op, a, b) => {
            inside(function, a, needed);
            inside(function, b, needed);
            if op == BinaryOp::PtrAdd {
                needed.push(b);
            }
        }
        ExprKind::If(condition, a, b) => {
            [condition, a, b].into_iter().for_each(|part| inside(function, part, needed));
            if matches!(function.exprs[expr].ty, Scalar::Pointer(_)) {
                needed.push(condition);
            }
        }
        _ => {}
    }
}

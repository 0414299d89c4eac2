//! Sets of valuations are cut apart where others must know a number: an index, a size, the number of a key.

use program::{BinaryOp, ExprId, ExprKind, Function as Code, Op, Scalar};

use super::bits::Bit;
use super::diagram::{Full, Function, Made};
use super::eval::Evaluation;
use super::{Bdd, State};
use crate::memory::step::asked;
use crate::step::Step;

/// Numbers with more values stay together: then others give up.
const MOST: usize = 64;

impl Bdd<'_> {
    /// The one value of a number, if all valuations agree.
    pub(super) fn only_value(&self, set: &Function, bits: &[Bit]) -> Made<Option<u64>> {
        let diagrams = &self.diagrams;
        if let Some(value) = diagrams.known_number(bits) {
            return Ok(u64::try_from(value).ok());
        }
        let Some(some) = diagrams.some_value(set, bits) else { return Ok(None) };
        let mut fits = diagrams.yes.clone();
        for (i, bit) in bits.iter().enumerate() {
            let Some(f) = bit else { return Ok(None) };
            let wanted = if some >> i & 1 != 0 { f.clone() } else { diagrams.not(f)? };
            fits = diagrams.and(&fits, &wanted)?;
            if diagrams.is_large(&fits) {
                if !diagrams.is_subset(set, &fits)? {
                    return Ok(None);
                }
                fits = diagrams.yes.clone();
            }
        }
        let is_only = diagrams.is_subset(set, &fits)?;
        Ok(u64::try_from(some).ok().filter(|_| is_only))
    }

    /// States in which the numbers that the step needs are known, as far as there are few enough values.
    pub(super) fn cut(&mut self, state: State, step: &Step, out: &mut Vec<State>) {
        let function = &self.program.functions[step.function];
        let needed = needed(function, &function.edges[step.edge].op);
        let mut sets = vec![state.set.clone()];
        for expr in needed {
            let mut parts = Vec::new();
            for set in &sets {
                match self.values(&state, set, step, expr) {
                    Ok(Some(cut)) => parts.extend(cut),
                    Ok(None) | Err(Full) => parts.push(set.clone()),
                }
            }
            sets = parts;
        }
        out.extend(sets.into_iter().map(|set| State { set, frames: state.frames.clone(), homes: state.homes.clone() }));
    }

    fn values(&mut self, state: &State, set: &Function, step: &Step, expr: ExprId) -> Made<Option<Vec<Function>>> {
        let at = (step.thread, state.frames.depth(step.thread), step.function);
        let bits = Evaluation::new(self, set.clone(), at, None).expr(expr)?;
        if self.only_value(set, &bits)?.is_some() {
            return Ok(None);
        }
        let mut parts = vec![set.clone()];
        for bit in bits.iter().rev() {
            let Some(f) = bit else { return Ok(None) };
            let not = self.diagrams.not(f)?;
            let mut finer = Vec::new();
            for part in parts {
                finer.push(self.diagrams.and(&part, &not)?);
                finer.push(self.diagrams.and(&part, f)?);
            }
            finer.retain(|part| *part != self.diagrams.no);
            if finer.len() > MOST {
                return Ok(None);
            }
            parts = finer;
        }
        Ok(Some(parts))
    }
}

/// The expressions of a step.
pub(super) fn roots(op: &Op) -> Vec<ExprId> {
    let mut roots = Vec::new();
    op.operands(&mut |expr, _| roots.push(expr));
    roots
}

/// The numbers that a step's pointers depend on, and those that others ask for.
fn needed(function: &Code, op: &Op) -> Vec<ExprId> {
    let is_number = |expr: &ExprId| matches!(function.exprs[*expr].ty, Scalar::Int(_));
    let mut needed: Vec<ExprId> = asked(op).into_iter().filter(is_number).collect();
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
fn inside(function: &Code, expr: ExprId, needed: &mut Vec<ExprId>) {
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

//! Where and how bounds are widened, so that the fixpoint ends: at loop heads, after a few joins, first to constants of the program
//! (widening with thresholds: Blanchet et al., PLDI 2003), then as far as there is.

use std::collections::BTreeSet;

use base::Idx;
use program::{ExprKind, Program};

use super::Analysis;
use crate::tables::CallString;

/// Joins before bounds are widened.
pub(super) const PATIENCE: u32 = 3;

/// Visits after which bounds that still move go as far as there is.
const ENOUGH: u32 = 40;

pub(super) const SHARED_PATIENCE: u32 = 8;

impl<'p> Analysis<'p> {
    /// The thresholds, for a while.
    pub(super) fn resting_places(&self, visits: u32) -> &[i64] {
        if visits < ENOUGH { &self.thresholds } else { &[] }
    }

    /// Where bounds are widened: every cycle passes through such a node.
    pub(super) fn is_head(&self, call_string: CallString, location: program::Location) -> bool {
        let info = &self.tables.call_strings[call_string];
        let function = &self.program.functions[info.function];
        let entered_often = info.recursive || self.tables.merged || info.caller.is_none();
        function.is_loop_head(location) || location == function.entry && entered_often
    }
}

/// Thresholds of widening: constants of the program and their neighbours.
pub(super) fn thresholds(program: &Program) -> Vec<i64> {
    const MOST: usize = 400;
    let mut found = BTreeSet::new();
    for function in program.functions.iter() {
        for (value, width) in constants(function) {
            let value = semantics::ops::sign_extend(value, width) as i64;
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
    }
    found.into_iter().take(MOST).collect()
}

/// The integers that expressions without variables are worth, and their widths.
fn constants(function: &program::Function) -> Vec<(u128, u32)> {
    let mut known: Vec<Option<u128>> = Vec::with_capacity(function.exprs.len());
    for expr in function.exprs.iter() {
        let value = match (expr.kind, expr.ty) {
            (ExprKind::Const(bits), program::Scalar::Int(2..=64)) => Some(u128::from(bits)),
            (ExprKind::Binary(op, a, b), program::Scalar::Int(2..=64)) => {
                let ty = |id: program::ExprId| function.exprs[id].ty;
                known[a.index()]
                    .zip(known[b.index()])
                    .and_then(|(x, y)| semantics::ops::binary(op, ty(a), x, ty(b), y).ok())
            }
            _ => None,
        };
        known.push(value);
    }
    let widths = function.exprs.iter().map(|expr| expr.ty.bits());
    known.into_iter().zip(widths).filter_map(|(value, width)| Some((value?, width))).collect()
}

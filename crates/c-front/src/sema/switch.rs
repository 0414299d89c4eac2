//! `switch` and its labels.

use base::Span;

use super::{Analyzer, Result, error};
use crate::ast;
use crate::typed::{Constant, StatementKind};
use crate::types::TypeId;

/// A switch whose body is being analysed.
pub(crate) struct SwitchState {
    /// The promoted type of its value.
    pub ty: TypeId,
    /// Labels so far, as the numbers they stand for.
    pub cases: Vec<(i128, i128, Span)>,
    pub default: Option<Span>,
    /// How many variably modified declarations are in scope at its head.
    pub variable_types: usize,
}

impl Analyzer {
    pub(crate) fn switch(&mut self, value: &ast::Expr, body: &ast::Statement) -> Result<StatementKind> {
        let value = self.value(value)?;
        if !self.types.is_integer(value.ty) {
            let text = self.type_text(value.ty);
            return error(value.span, format!("the value of a switch has the type ‘{text}’, not an integer type"));
        }
        let value = self.promote(value);
        let state = self.state();
        let variable_types = state.jumps.depth();
        state.switches.push(SwitchState { ty: value.ty, cases: Vec::new(), default: None, variable_types });
        state.breakables += 1;
        let body = self.statement(body);
        let state = self.state();
        state.breakables -= 1;
        let finished = state.switches.pop().expect("pushed above");
        let body = body?;
        check_cases(finished.cases)?;
        Ok(StatementKind::Switch { value, body: Box::new(body) })
    }

    pub(crate) fn case(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        statement: &ast::Statement,
        span: Span,
    ) -> Result<StatementKind> {
        let Some((ty, depth)) = self.state().switches.last().map(|switch| (switch.ty, switch.variable_types)) else {
            return error(span, "a case label outside of a switch");
        };
        self.check_switch_jump(depth, span)?;
        let (low_bits, low_number) = self.case_value(low, ty)?;
        let (high_bits, high_number) = match high {
            Some(high) => self.case_value(high, ty)?,
            None => (low_bits, low_number),
        };
        // GCC warns about an empty range and goes on.
        let empty = low_number > high_number;
        if !empty {
            let switch = self.state().switches.last_mut().expect("checked above");
            switch.cases.push((low_number, high_number, low.span));
        }
        let statement = Box::new(self.statement(statement)?);
        if empty {
            return Ok(statement.kind);
        }
        Ok(StatementKind::Case { low: low_bits, high: high_bits, statement })
    }

    fn case_value(&mut self, expr: &ast::Expr, ty: TypeId) -> Result<(u128, i128)> {
        let value = self.value(expr)?;
        if !self.types.is_integer(value.ty) {
            return error(expr.span, "a case label must be an integer constant");
        }
        let evaluator = self.evaluator();
        let constant = evaluator.evaluate(&value).and_then(|constant| evaluator.convert(constant, value.ty, ty));
        match constant {
            Some(Constant::Int(bits)) => Ok((bits, evaluator.number(bits, ty))),
            _ => error(expr.span, "a case label must be an integer constant"),
        }
    }

    pub(crate) fn default(&mut self, statement: &ast::Statement, span: Span) -> Result<StatementKind> {
        if let Some(depth) = self.state().switches.last().map(|switch| switch.variable_types) {
            self.check_switch_jump(depth, span)?;
        }
        match self.state().switches.last_mut() {
            None => return error(span, "a default label outside of a switch"),
            Some(switch) if switch.default.is_some() => return error(span, "two default labels in one switch"),
            Some(switch) => switch.default = Some(span),
        }
        Ok(StatementKind::Default(Box::new(self.statement(statement)?)))
    }
}

fn check_cases(mut cases: Vec<(i128, i128, Span)>) -> Result<()> {
    cases.sort_by_key(|&(low, _, span)| (low, span.start));
    for pair in cases.windows(2) {
        if let [(_, high, first), (low, _, second)] = *pair
            && low <= high
        {
            return Err(Box::new(
                base::Diagnostic::error(first.max(second), format!("duplicate case value {low}"))
                    .note(first.min(second), "first used here"),
            ));
        }
    }
    Ok(())
}

//! Compare and exchange.

use facts::range::Range;
use program::{BinaryOp, CompareExchange, Scalar};
use smallvec::{SmallVec, smallvec};

use super::step::{Exchanged, Run, Transfer, TransferStop};
use super::value::{Def, Operand, Value};
use crate::step::Control;

type Outcomes = SmallVec<[Exchanged; 3]>;

const DIFFERS: Exchanged = Exchanged { success: false, choice: None };

/// The values are equal; a weak exchange may fail for no reason.
fn fitting(exchange: &CompareExchange) -> Outcomes {
    match exchange.weak {
        true => smallvec![Exchanged { success: false, choice: Some(1) }, Exchanged { success: true, choice: Some(0) }],
        false => smallvec![Exchanged { success: true, choice: None }],
    }
}

fn is_pointer(value: Value) -> bool {
    matches!(value, Value::Pointer(_) | Value::Part(..))
}

impl Transfer<'_, '_, '_> {
    /// Does the exchange of the old value take place, if it is the expected one, by the desired one? The step is tried again with each outcome, if there are several.
    pub(super) fn exchanges(&mut self, exchange: &CompareExchange, values: [Value; 3]) -> Run<bool> {
        let [old, expected, _] = values;
        self.decide_comparison(old, expected)?;
        let are_numbers = !matches!(exchange.access.ty, Scalar::Pointer(_)) && !values.into_iter().any(is_pointer);
        let outcomes = match self.memory.options.pointers_only {
            // Of numbers, both outcomes are the same here: the value read is no pointer, whatever it is.
            true if are_numbers => return Ok(true),
            true => self.outcomes_of_pointers(exchange, old, expected),
            false => self.outcomes(exchange, old, expected)?,
        };
        let one = match (self.exchanged, &outcomes[..]) {
            (Some(one), _) => one,
            (None, [one]) => *one,
            _ => return Err(TransferStop::Fork(outcomes)),
        };
        self.step.choice = one.choice.or(self.step.choice);
        if self.memory.options.pointers_only {
            self.step.control = Control::Exchange { success: one.success };
        }
        Ok(one.success)
    }

    fn outcomes(&mut self, exchange: &CompareExchange, old: Value, expected: Value) -> Run<Outcomes> {
        let equal = self.equal(exchange.access.ty, old, expected);
        Ok(match self.state.symbols.value(equal) {
            Value::Bits(0) => smallvec![DIFFERS],
            Value::Unknown(symbol) => return Err(TransferStop::Split(symbol)),
            _ => fitting(exchange),
        })
    }

    /// Of pointers, the step says which outcome it is.
    fn outcomes_of_pointers(&mut self, exchange: &CompareExchange, old: Value, expected: Value) -> Outcomes {
        let (may_fit, may_differ) = match (old, expected) {
            (Value::Pointer(_), Value::Pointer(_) | Value::Bits(0))
            | (Value::Bits(0), Value::Pointer(_))
            | (Value::Bits(_), Value::Bits(_)) => (old == expected, old != expected),
            _ => (true, true),
        };
        self.state.addresses |= may_fit && may_differ && (is_pointer(old) || is_pointer(expected));
        let mut outcomes = Outcomes::new();
        if may_differ {
            outcomes.push(DIFFERS);
        }
        if may_fit {
            outcomes.extend(fitting(exchange));
        }
        outcomes
    }

    /// A truth value: as `==` has it.
    fn equal(&mut self, ty: Scalar, a: Value, b: Value) -> Value {
        let (a, b) = (self.state.symbols.value(a), self.state.symbols.value(b));
        let operand = |value| match value {
            Value::Bits(bits) => Some(Operand::Bits(bits)),
            Value::Unknown(symbol) => Some(Operand::Symbol(symbol)),
            _ => None,
        };
        match (a, b) {
            (Value::Pointer(p), Value::Pointer(q)) => Value::truth(p == q),
            (Value::Pointer(_), Value::Bits(0)) | (Value::Bits(0), Value::Pointer(_)) => Value::truth(false),
            _ if a == b => Value::truth(true),
            (Value::Bits(_), Value::Bits(_)) => Value::truth(false),
            _ => {
                let deepest = self.memory.deepest;
                let symbols = self.state.symbols.edit();
                match (operand(a), operand(b)) {
                    (Some(a), Some(b)) => {
                        let ranges = super::value::range_bits(ty)
                            .and_then(|bits| symbols.range(a, bits).zip(symbols.range(b, bits)));
                        let truth = match ranges {
                            Some((x, y)) => super::value::binary_range(BinaryOp::Eq, x, y).flatten(),
                            None => None,
                        };
                        let truth = truth.unwrap_or(Range::top(1));
                        symbols.define(Def::Binary(BinaryOp::Eq, ty, a, ty, b), Some(truth), deepest)
                    }
                    _ => {
                        self.state.addresses = true;
                        self.state.symbols.edit().fresh(Scalar::BOOL)
                    }
                }
            }
        }
    }
}

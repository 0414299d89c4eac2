//! Compare and exchange.

use facts::range::Range;
use program::{BinaryOp, CompareExchange, Scalar};

use super::step::{Doing, Halt, Run};
use super::value::{Def, Operand, Value};
use crate::step::What;

impl Doing<'_, '_, '_> {
    pub fn compare_exchange(&mut self, exchange: &CompareExchange) -> Run<()> {
        let (expected, desired) = (self.value(exchange.expected)?, self.value(exchange.desired)?);
        let old = self.load(&exchange.access)?;
        self.ask_about(old, expected)?;
        if self.memory.options.pointers_only {
            return self.exchange_pointers(exchange, old, expected, desired);
        }
        let equal = self.equal(exchange.access.ty, old, expected);
        let equal = match self.state.symbols.value(equal) {
            Value::Bits(bits) => bits != 0,
            Value::Unknown(symbol) => return Err(Halt::Split(symbol)),
            _ => true,
        };
        if equal && exchange.weak {
            // Fails for no reason: the other way this step can go.
            let (state, step) = (self.state.clone(), self.step);
            self.step.choice = Some(1);
            self.set(exchange.old, old);
            self.set(exchange.success, Value::truth(false));
            self.finish_apart();
            self.state = state;
            self.step = step;
            self.step.choice = Some(0);
        }
        if equal {
            self.store(&exchange.access, desired)?;
        }
        self.set(exchange.old, old);
        self.set(exchange.success, Value::truth(equal));
        Ok(())
    }

    /// Of numbers, both outcomes are the same here. Of pointers, the step says which outcome it is.
    fn exchange_pointers(
        &mut self,
        exchange: &CompareExchange,
        old: Value,
        expected: Value,
        desired: Value,
    ) -> Run<()> {
        let is_pointer = |value: Value| matches!(value, Value::Pointer(_) | Value::Part(..));
        let is_number = !matches!(exchange.access.ty, Scalar::Pointer(_)) && !is_pointer(expected);
        if is_number && !is_pointer(old) && !is_pointer(desired) {
            // The value read is no pointer, whatever it is.
            return self.set_exchanged(exchange, old, None, desired);
        }
        let (may_fit, may_differ) = match (old, expected) {
            (Value::Pointer(_), Value::Pointer(_) | Value::Bits(0))
            | (Value::Bits(0), Value::Pointer(_))
            | (Value::Bits(_), Value::Bits(_)) => (old == expected, old != expected),
            _ => (true, true),
        };
        self.state.addresses |= may_fit && may_differ && (is_pointer(old) || is_pointer(expected));
        let (state, step) = (self.state.clone(), self.step);
        let mut outcomes = Vec::new();
        if may_differ {
            outcomes.push((false, None));
        }
        if may_fit && exchange.weak {
            outcomes.push((false, Some(1)));
        }
        if may_fit {
            outcomes.push((true, exchange.weak.then_some(0)));
        }
        let last = outcomes.len() - 1;
        for (i, (success, choice)) in outcomes.into_iter().enumerate() {
            self.step.what = What::Exchange { success };
            self.step.choice = choice;
            self.set_exchanged(exchange, old, Some(success), desired)?;
            if i < last {
                self.finish_apart();
                self.state = state.clone();
                self.step = step;
            }
        }
        Ok(())
    }

    fn set_exchanged(
        &mut self,
        exchange: &CompareExchange,
        old: Value,
        success: Option<bool>,
        desired: Value,
    ) -> Run<()> {
        if success != Some(false) {
            self.store(&exchange.access, desired)?;
        }
        self.set(exchange.old, old);
        self.set(exchange.success, Value::Undefined);
        Ok(())
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

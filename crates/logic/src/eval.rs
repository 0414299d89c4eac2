//! Evaluation of terms under an assignment to their symbols.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thiserror::Error;

use crate::{SymbolId, Term, Terms, Value};

/// Values of symbols: a model, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment(FxHashMap<SymbolId, Value>);

/// A symbol that the assignment says nothing of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0} has no value")]
pub struct Unassigned(pub SymbolId);

impl Assignment {
    pub fn set(&mut self, symbol: SymbolId, value: Value) {
        self.0.insert(symbol, value);
    }

    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.0.get(&symbol)
    }
}

impl FromIterator<(SymbolId, Value)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (SymbolId, Value)>>(values: I) -> Self {
        Assignment(values.into_iter().collect())
    }
}

impl Terms {
    /// The value of a term. Every symbol in it must have one, of its sort: another sort is a panic.
    pub fn eval(&self, term: Term, assignment: &Assignment) -> Result<Value, Unassigned> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        for term in self.postorder(&[term]) {
            let node = self.node(term);
            let operands: SmallVec<[Value; 3]> = node.args.iter().map(|arg| values[arg].clone()).collect();
            let value = match (node.op.value(&operands), self.as_symbol(term)) {
                (Some(value), _) => value,
                (None, Some(symbol)) => assignment.get(symbol).ok_or(Unassigned(symbol))?.clone(),
                (None, None) => unreachable!("only symbols have no value of their own"),
            };
            assert_eq!(value.sort(), node.sort, "a value of another sort for {}", self.print(term));
            values.insert(term, value);
        }
        Ok(values.remove(&term).expect("the last one is the term itself"))
    }

    /// Does the assignment satisfy the formula? Panics if it is none.
    pub fn holds(&self, formula: Term, assignment: &Assignment) -> Result<bool, Unassigned> {
        let value = self.eval(formula, assignment)?;
        Ok(value.as_bool().unwrap_or_else(|| panic!("{} is no formula", self.print(formula))))
    }
}

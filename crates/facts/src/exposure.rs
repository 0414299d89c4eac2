//! Objects that numbers may lead to. A number leads to an object only if the program has looked at the object's address (as in
//! PNVI-ae-udi: Memarian et al., Exploring C Semantics and Pointer Provenance, POPL 2019): the address became, or took part in making,
//! a number, or was compared with one or with an indeterminate pointer. Values that are made of addresses keep their objects as
//! pointers at unknown offsets, so that exposed objects matter only where numbers come from elsewhere.

use std::collections::BTreeSet;

use crate::analysis::Solution;
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{Base, Phase, Role, Tables};
use crate::value::Value;

/// What operations looked at. In a solution, objects that are made more than once stand by their shared names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exposure {
    pub objects: BTreeSet<Base>,
    /// An undecided pointer was compared with null: it may be null, and so may its copies.
    pub null: bool,
    /// An indeterminate pointer was compared with another number: it may be that.
    pub number: bool,
}

impl Exposure {
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty() && !self.null && !self.number
    }

    /// Is nothing new in the other?
    pub fn includes(&self, other: &Exposure) -> bool {
        other.objects.is_subset(&self.objects) && (self.null || !other.null) && (self.number || !other.number)
    }

    pub fn join(&mut self, other: &Exposure) {
        self.objects.extend(&other.objects);
        self.null |= other.null;
        self.number |= other.number;
    }

    /// The value becomes a number.
    pub fn add(&mut self, value: &Value) {
        self.objects.extend(value.pointers.iter().map(|(base, _)| canonical(*base)));
    }

    /// The values are compared. Null is the address of no object.
    pub fn compare(&mut self, a: &Value, b: &Value) {
        for (a, b) in [(a, b), (b, a)] {
            if a.is_loose() {
                self.add(b);
            }
            self.null |= a.is_undecided() && b.may_be(0);
            self.number |= a.is_indeterminate() && b.may_be_number();
        }
    }
}

fn canonical(base: Base) -> Base {
    if base == Base::UNDECIDED { Base::INDETERMINATE } else { base }
}

impl Solution {
    /// Every place that the value may lead to in a state: what numbers and indeterminate pointers may be is put in.
    pub fn reach(&self, tables: &Tables, state: &ThreadState, value: &Value) -> Value {
        if !value.is_loose() {
            return value.clone();
        }
        let mut all = value.decided();
        for base in &self.exposed.objects {
            for name in self.names(tables, state, *base) {
                all = all.join(&Value { term: all.term, ..Value::pointer(name, Offsets::ALL) });
            }
        }
        all
    }

    /// The names of an exposed object. While there is one thread only, it may be the thread's own.
    fn names(&self, tables: &Tables, state: &ThreadState, base: Base) -> Vec<Base> {
        if tables.abstract_object(base).role().is_none() {
            return vec![base];
        }
        let own = [Role::Own, Role::Older].map(|role| tables.as_role(base, role)).into_iter();
        let own = own.filter(|name| state.phase == Phase::Before && state.memory.get(name.0).is_some());
        own.chain(self.shared.contains_key(&base).then_some(base)).collect()
    }

    /// Objects of the thread's own whose addresses have been looked at.
    pub fn exposed_own(&self, tables: &Tables, state: &ThreadState) -> Vec<Base> {
        let own = |base: &Base| [Role::Own, Role::Older].map(|role| tables.as_role(*base, role));
        let all =
            self.exposed.objects.iter().filter(|base| tables.abstract_object(**base).role().is_some()).flat_map(own);
        all.filter(|base| state.memory.get(base.0).is_some()).collect()
    }
}

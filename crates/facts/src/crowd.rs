//! Several threads of one crew, created by one thread: what tells them apart.

use std::collections::BTreeMap;

use crate::tables::Base;
use crate::value::{Symbol, Term};

/// What is known of those created so far, by the thread that creates them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crowd {
    /// Their arguments are `base + coefficient * n + offset` for different numbers `n`, which are all below `below` (a plain
    /// symbol plus a distance). None: nothing is known.
    pub arguments: Option<Arguments>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    pub base: Option<Base>,
    pub coefficient: i64,
    pub offset: i64,
    pub below: (Symbol, i64),
}

impl Crowd {
    pub fn join(&self, other: &Crowd) -> Crowd {
        Crowd { arguments: self.arguments.zip(other.arguments).and_then(|(a, b)| a.join(&b)) }
    }

    pub fn widen(&self, next: &Crowd) -> Crowd {
        let joined = self.join(next);
        if joined == *self { joined } else { Crowd { arguments: None } }
    }

    pub fn leq(&self, other: &Crowd) -> bool {
        self.join(other) == *other
    }

    pub fn replaced(&self, symbol: Symbol, change: &impl Fn(Term) -> Option<Term>) -> Option<Crowd> {
        let arguments = self.arguments.filter(|arguments| arguments.below.0 == symbol)?;
        let bound = Term::of(symbol).plus(arguments.below.1).and_then(change);
        let below = bound.and_then(|term| {
            let plain = term.base.is_none() && term.coefficient == 1;
            Some((term.symbol, term.offset.filter(|_| plain)?))
        });
        Some(Crowd { arguments: below.map(|below| Arguments { below, ..arguments }) })
    }

    pub fn renamed(&self, names: &BTreeMap<Base, Base>) -> Option<Crowd> {
        let arguments = self.arguments?;
        let base = arguments.base.filter(|base| names.contains_key(base))?;
        Some(Crowd { arguments: Some(Arguments { base: Some(names[&base]), ..arguments }) })
    }
}

impl Arguments {
    fn join(&self, other: &Arguments) -> Option<Arguments> {
        let same = self.base == other.base && self.coefficient == other.coefficient && self.offset == other.offset;
        let (a, b) = (self.below, other.below);
        (same && a.0 == b.0).then(|| Arguments { below: (a.0, a.1.max(b.1)), ..*self })
    }
}

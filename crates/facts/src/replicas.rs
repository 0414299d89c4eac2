//! Several threads of one abstract thread, created by one thread: what tells them apart, and where their handles are.

use std::collections::BTreeMap;

use crate::offsets::Offsets;
use crate::tables::Base;
use crate::value::{Symbol, Term};

/// What is known of those created so far, by the thread that creates them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Replicas {
    pub arguments: Option<Arguments>,
    pub handles: Option<Handles>,
}

/// Their arguments are `base + coefficient * n + offset` for different numbers `n`, which are all below a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    pub base: Option<Base>,
    pub coefficient: i64,
    pub offset: i64,
    pub below: Bound,
}

/// Those that may still run have their handles at `base + coefficient * n + offset`, one for each `n` from a bound up to below
/// another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handles {
    pub base: Base,
    pub coefficient: i64,
    pub offset: i64,
    pub from: Bound,
    pub to: Bound,
}

/// A number, or the value of a symbol plus a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Bound {
    pub symbol: Option<Symbol>,
    pub plus: i64,
}

impl Bound {
    pub fn constant(plus: i64) -> Bound {
        Bound { symbol: None, plus }
    }

    pub fn of(symbol: Symbol, plus: i64) -> Bound {
        Bound { symbol: Some(symbol), plus }
    }

    fn replaced(self, symbol: Symbol, change: &impl Fn(Term) -> Option<Term>) -> Option<Bound> {
        if self.symbol != Some(symbol) {
            return Some(self);
        }
        let term = Term::of(symbol).plus(self.plus).and_then(change)?;
        let plain = term.base.is_none() && term.coefficient == 1;
        Some(Bound::of(term.symbol, term.offset.filter(|_| plain)?))
    }

    fn settled(self, symbol: Symbol, worth: i64) -> Bound {
        match self.plus.checked_add(worth) {
            Some(number) if self.symbol == Some(symbol) => Bound::constant(number),
            _ => self,
        }
    }

    /// The bound in a form that holds for both, given what symbols are worth on either side.
    fn common(self, other: Bound, mine: &Worth<'_>, theirs: &Worth<'_>) -> Option<Bound> {
        let as_other = |a: Bound, b: Bound, worth: &Worth<'_>| {
            let there = worth(b.symbol?)?;
            (a.symbol.is_none() && there.checked_add(b.plus)? == a.plus).then_some(b)
        };
        if self == other { Some(self) } else { as_other(self, other, mine).or_else(|| as_other(other, self, theirs)) }
    }

    /// The greater one of two bounds over one symbol.
    fn greater(self, other: Bound) -> Option<Bound> {
        (self.symbol == other.symbol).then(|| Bound { plus: self.plus.max(other.plus), ..self })
    }
}

/// The number that is the value of a symbol, if it is known.
pub type Worth<'w> = dyn Fn(Symbol) -> Option<i64> + 'w;

impl Replicas {
    pub fn join(&self, other: &Replicas, mine: &Worth<'_>, theirs: &Worth<'_>) -> Replicas {
        Replicas {
            arguments: self.arguments.zip(other.arguments).and_then(|(a, b)| a.join(&b, mine, theirs)),
            handles: self.handles.zip(other.handles).and_then(|(a, b)| a.join(&b, mine, theirs)),
        }
    }

    pub fn leq(&self, other: &Replicas, mine: &Worth<'_>, theirs: &Worth<'_>) -> bool {
        self.join(other, mine, theirs) == *other
    }

    pub fn replaced(&self, symbol: Symbol, change: &impl Fn(Term) -> Option<Term>) -> Option<Replicas> {
        let arguments = self.arguments.and_then(|a| Some(Arguments { below: a.below.replaced(symbol, change)?, ..a }));
        let handles = self.handles.and_then(|h| {
            let (from, to) = (h.from.replaced(symbol, change)?, h.to.replaced(symbol, change)?);
            Some(Handles { from, to, ..h })
        });
        let new = Replicas { arguments, handles };
        (new != *self).then_some(new)
    }

    /// The symbol is worth this.
    pub fn settled(&self, symbol: Symbol, worth: i64) -> Option<Replicas> {
        let arguments = self.arguments.map(|a| Arguments { below: a.below.settled(symbol, worth), ..a });
        let settled =
            |h: Handles| Handles { from: h.from.settled(symbol, worth), to: h.to.settled(symbol, worth), ..h };
        let new = Replicas { arguments, handles: self.handles.map(settled) };
        (new != *self).then_some(new)
    }

    pub fn renamed(&self, names: &BTreeMap<Base, Base>) -> Option<Replicas> {
        let name = |base: Base| names.get(&base).copied().unwrap_or(base);
        let arguments = self.arguments.map(|a| Arguments { base: a.base.map(name), ..a });
        let handles = self.handles.map(|h| Handles { base: name(h.base), ..h });
        let new = Replicas { arguments, handles };
        (new != *self).then_some(new)
    }
}

impl Arguments {
    fn join(&self, other: &Arguments, mine: &Worth<'_>, theirs: &Worth<'_>) -> Option<Arguments> {
        let same = self.base == other.base && self.coefficient == other.coefficient && self.offset == other.offset;
        let below = self.below.common(other.below, mine, theirs).or_else(|| self.below.greater(other.below));
        below.filter(|_| same).map(|below| Arguments { below, ..*self })
    }
}

impl Handles {
    fn join(&self, other: &Handles, mine: &Worth<'_>, theirs: &Worth<'_>) -> Option<Handles> {
        let same = self.base == other.base && self.coefficient == other.coefficient && self.offset == other.offset;
        let (from, to) = (self.from.common(other.from, mine, theirs)?, self.to.common(other.to, mine, theirs)?);
        same.then_some(Handles { from, to, ..*self })
    }

    /// Where handles may be.
    pub fn places(&self) -> Offsets {
        let stride = self.coefficient.unsigned_abs().max(1);
        Offsets::steps(Offsets::ONWARD.hi, stride).plus(Offsets::constant(self.offset.rem_euclid(stride as i64)))
    }
}

//! Value sets (Balakrishnan and Reps, CC 2004): which plain numbers, which offsets in which abstract objects; and, where known, a linear
//! term over another value that has a name.

use std::collections::BTreeMap;

use program::Scalar;
use semantics::indeterminate::ORIGIN;
use smallvec::SmallVec;

use crate::offsets::Offsets;
use crate::range::Range;
use crate::tables::{AbstractThread, Base};

/// A value is one of the plain numbers or leads to one of the places. Both may be empty, then there is no value at all.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    pub number: Number,
    pub pointers: Pointers,
    /// If known, the value is exactly this.
    pub term: Option<Term>,
}

/// Plain numbers: made without an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    None,
    Range(Range),
    /// Also for floating and wide types.
    Any,
}

/// Places, sorted by object.
pub type Pointers = SmallVec<[(Base, Offsets); 1]>;

/// `base + coefficient * symbol + offset`. Without an offset: some distance, within the object that the symbol points to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Term {
    /// The address of this object, of which there is only one.
    pub base: Option<Base>,
    pub coefficient: i64,
    pub symbol: Symbol,
    pub offset: Option<i64>,
}

/// A value that has a name while nothing assigns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Symbol {
    /// The value of a plain local of a frame.
    Variable(u32),
    /// So many bytes at this offset of an object that no thread writes any more.
    Cell(Base, i64, u8),
    /// What tells a thread of this abstract thread from the others: see `Argument`.
    Argument(AbstractThread),
}

impl Term {
    pub fn of(symbol: Symbol) -> Term {
        Term { base: None, coefficient: 1, symbol, offset: Some(0) }
    }

    /// Nothing but a symbol.
    pub fn as_symbol(self) -> Option<Symbol> {
        (self == Term::of(self.symbol)).then_some(self.symbol)
    }

    pub fn plus(self, amount: i64) -> Option<Term> {
        let offset = match self.offset {
            Some(offset) => Some(offset.checked_add(amount)?),
            None => None,
        };
        Some(Term { offset, ..self })
    }

    pub fn renamed(self, names: &BTreeMap<Base, Base>) -> Term {
        Term { base: self.base.map(|base| names.get(&base).copied().unwrap_or(base)), ..self }
    }

    pub fn times(self, factor: i64) -> Option<Term> {
        (self.base.is_none() && factor != 0).then_some(())?;
        let coefficient = self.coefficient.checked_mul(factor)?;
        Some(Term { coefficient, offset: Some(self.offset?.checked_mul(factor)?), ..self })
    }
}

impl Number {
    fn join(self, other: Number) -> Number {
        match (self, other) {
            (Number::None, number) | (number, Number::None) => number,
            (Number::Range(a), Number::Range(b)) if a.bits() == b.bits() => Number::Range(a.join(b)),
            _ => Number::Any,
        }
    }

    pub fn leq(self, other: Number) -> bool {
        match (self, other) {
            (Number::None, _) | (_, Number::Any) => true,
            (Number::Range(a), Number::Range(b)) => a.bits() == b.bits() && a.leq(&b),
            _ => false,
        }
    }

    fn widen(self, next: Number, thresholds: &[i64]) -> Number {
        match (self, next) {
            (Number::Range(a), Number::Range(b)) if a.bits() == b.bits() => Number::Range(a.widen(b, thresholds)),
            _ => self.join(next),
        }
    }
}

impl Value {
    pub fn number(number: Number) -> Value {
        Value { number, pointers: Pointers::new(), term: None }
    }

    pub fn range(range: Range) -> Value {
        Value::number(Number::Range(range))
    }

    /// Any plain number of this type.
    pub fn top(ty: Scalar) -> Value {
        match ty {
            Scalar::Int(bits) if bits <= 64 => Value::range(Range::top(u32::from(bits))),
            Scalar::Pointer(bytes) => Value::range(Range::top(u32::from(bytes) * 8)),
            _ => Value::number(Number::Any),
        }
    }

    /// Any value that an input or an uninitialised variable of this type may have.
    pub fn input(ty: Scalar) -> Value {
        match ty {
            Scalar::Pointer(_) => Value::pointer(Base::UNDECIDED, Offsets::constant(ORIGIN)),
            ty => Value::top(ty),
        }
    }

    /// What bytes that were never written may be read as: perhaps they were read as a number before.
    pub fn unwritten(ty: Scalar) -> Value {
        Value::top(ty).join(&Value::input(ty))
    }

    pub fn constant(ty: Scalar, bits: u128) -> Value {
        match ty {
            Scalar::Int(width) if width <= 64 => Value::range(Range::constant(u32::from(width), bits as u64)),
            Scalar::Pointer(bytes) => Value::range(Range::constant(u32::from(bytes) * 8, bits as u64)),
            _ => Value::number(Number::Any),
        }
    }

    pub fn pointer(base: Base, offsets: Offsets) -> Value {
        Value { number: Number::None, pointers: SmallVec::from_elem((base, offsets), 1), term: None }
    }

    pub fn nothing() -> Value {
        Value { number: Number::None, pointers: Pointers::new(), term: None }
    }

    pub fn is_nothing(&self) -> bool {
        self.number == Number::None && self.pointers.is_empty()
    }

    /// May it be a number other than null?
    pub fn may_be_number(&self) -> bool {
        match self.number {
            Number::None => false,
            Number::Range(range) => range.as_constant() != Some(0),
            Number::Any => true,
        }
    }

    pub fn is_indeterminate(&self) -> bool {
        self.pointers.iter().any(|(base, _)| base.is_indeterminate())
    }

    pub fn is_undecided(&self) -> bool {
        self.pointers.iter().any(|(base, _)| *base == Base::UNDECIDED)
    }

    /// May it lead where no pointer tells: to any object whose address has been looked at?
    pub fn is_loose(&self) -> bool {
        self.may_be_number() || self.is_indeterminate()
    }

    /// Any number of its type, as what was never written.
    pub fn is_any_number(&self) -> bool {
        match self.number {
            Number::None => false,
            Number::Range(range) => range.is_top(),
            Number::Any => true,
        }
    }

    /// It is not null.
    pub fn decided(&self) -> Value {
        let names = BTreeMap::from([(Base::UNDECIDED, Base::INDETERMINATE)]);
        self.renamed(&names).unwrap_or_else(|| self.clone())
    }

    /// Exactly one number, and no pointer.
    pub fn as_constant(&self) -> Option<u64> {
        match self.number {
            Number::Range(range) if self.pointers.is_empty() => range.as_constant(),
            _ => None,
        }
    }

    pub fn as_range(&self) -> Option<Range> {
        match self.number {
            Number::Range(range) if self.pointers.is_empty() => Some(range),
            _ => None,
        }
    }

    /// Can it be this plain number?
    pub fn may_be(&self, number: u64) -> bool {
        match self.number {
            Number::None => false,
            Number::Range(range) => range.contains(number),
            Number::Any => true,
        }
    }

    /// Where it must lead, if it leads to one place only.
    pub fn place(&self) -> Option<(Base, i64)> {
        match &self.pointers[..] {
            [(base, offsets)] => Some((*base, offsets.as_constant()?)),
            _ => None,
        }
    }

    /// Do both lead to one object, the same, and to nothing else?
    pub fn is_within_one(&self, other: &Value) -> bool {
        let only = |value: &Value| match (&value.pointers[..], value.number) {
            ([(base, _)], Number::None) => Some(*base),
            _ => None,
        };
        only(self).is_some() && only(self) == only(other)
    }

    pub fn join(&self, other: &Value) -> Value {
        self.combine(other, Number::join, Offsets::join)
    }

    pub fn widen(&self, next: &Value, thresholds: &[i64]) -> Value {
        self.combine(next, |a, b| a.widen(b, thresholds), Offsets::widen)
    }

    fn combine(
        &self,
        other: &Value,
        number: impl Fn(Number, Number) -> Number,
        offsets: impl Fn(Offsets, Offsets) -> Offsets,
    ) -> Value {
        let term = if self.is_nothing() {
            other.term
        } else if other.is_nothing() {
            self.term
        } else {
            self.term.filter(|_| self.term == other.term)
        };
        let pointers = merge(&self.pointers, &other.pointers, offsets);
        Value { number: number(self.number, other.number), pointers, term }
    }

    pub fn leq(&self, other: &Value) -> bool {
        self.is_nothing()
            || self.number.leq(other.number)
                && (other.term.is_none() || self.term == other.term)
                && self.pointers.iter().all(|(base, offsets)| {
                    let found = other.pointers.binary_search_by_key(base, |(b, _)| *b);
                    found.is_ok_and(|i| offsets.leq(other.pointers[i].1))
                })
    }

    /// The same objects at any place, any number: what is left of a value that is seen in part.
    pub fn blurred(&self, ty: Scalar) -> Value {
        let pointers = self.pointers.iter().map(|(base, _)| (*base, Offsets::ALL)).collect();
        Value { pointers, ..Value::top(ty) }
    }

    /// Read as another type of perhaps another width.
    pub fn fitting(mut self, ty: Scalar) -> Value {
        if let Number::Range(range) = self.number
            && range.bits() != ty.bits()
        {
            self.number = Value::top(ty).number;
            self.term = None;
        }
        if matches!(ty, Scalar::Float(_)) && self.number != Number::None {
            self.number = Number::Any;
        }
        self
    }

    pub fn moved(mut self, by: Offsets) -> Value {
        self.pointers.iter_mut().for_each(|(_, offsets)| *offsets = offsets.plus(by));
        self
    }

    /// Objects under other names.
    pub fn renamed(&self, names: &BTreeMap<Base, Base>) -> Option<Value> {
        let touched = self.pointers.iter().any(|(base, _)| names.contains_key(base));
        let term = self.term.map(|term| term.renamed(names));
        if !touched && term == self.term {
            return None;
        }
        let mut pointers = Pointers::new();
        for (base, offsets) in &self.pointers {
            let base = names.get(base).unwrap_or(base);
            pointers = merge(&pointers, &[(*base, *offsets)], Offsets::join);
        }
        Some(Value { number: self.number, pointers, term })
    }
}

fn merge(a: &[(Base, Offsets)], b: &[(Base, Offsets)], offsets: impl Fn(Offsets, Offsets) -> Offsets) -> Pointers {
    let mut merged = Pointers::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if j == b.len() || i < a.len() && a[i].0 < b[j].0 {
            merged.push(a[i]);
            i += 1;
        } else if i == a.len() || b[j].0 < a[i].0 {
            merged.push(b[j]);
            j += 1;
        } else {
            merged.push((a[i].0, offsets(a[i].1, b[j].1)));
            (i, j) = (i + 1, j + 1);
        }
    }
    merged
}

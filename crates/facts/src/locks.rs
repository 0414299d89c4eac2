//! Must-locksets: locks that a thread surely holds. A lock is known by its address, or symbolically by how its address follows from a
//! named value (symbolic locksets: Vojdani et al., ASE 2016).

use std::collections::BTreeMap;
use std::sync::Arc;

use semantics::LockKind;

use crate::tables::Base;
use crate::value::{Pointers, Symbol, Term, Value};

/// Sorted by name.
pub type Locks = Arc<Vec<Lock>>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lock {
    pub name: LockName,
    pub mode: Mode,
    /// Where it may be.
    pub targets: Pointers,
    /// Held only if this variable is zero, or is not zero.
    pub condition: Option<Condition>,
    /// How often it is surely locked.
    pub depth: u8,
}

/// One lock, by its place in an object of which there is only one, or by how its address follows from a value with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct LockName {
    pub kind: Kind,
    pub place: LockPlace,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum LockPlace {
    At(Base, i64),
    Relative(Term),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Kind {
    Mutex,
    RwLock,
    Semaphore,
    Once,
    /// Being in an atomic section.
    Section,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Mode {
    /// Others may hold it, too, in this mode.
    Shared,
    Exclusive,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Condition {
    pub variable: u32,
    pub zero: bool,
}

impl Kind {
    pub fn of(kind: LockKind) -> Option<Kind> {
        match kind {
            LockKind::Mutex => Some(Kind::Mutex),
            LockKind::RwLock => Some(Kind::RwLock),
            LockKind::Semaphore => Some(Kind::Semaphore),
            LockKind::Once => Some(Kind::Once),
            LockKind::Condition | LockKind::Barrier => None,
        }
    }
}

impl Lock {
    fn key(&self) -> (LockName, Option<Condition>, Mode) {
        (self.name, self.condition, self.mode)
    }

    pub fn may_be(&self, kind: Kind, targets: &Pointers) -> bool {
        let overlap =
            |base: &Base, offsets| targets.iter().any(|(other, at)| base == other && at.overlaps(1, offsets, 1));
        self.name.kind == kind && self.targets.iter().any(|(base, offsets)| overlap(base, *offsets))
    }
}

/// Adds a lock, or makes one that is held be held once more.
pub fn insert(locks: &mut Locks, lock: Lock) {
    let locks = Arc::make_mut(locks);
    match locks.binary_search_by_key(&lock.key(), Lock::key) {
        Ok(i) => locks[i].depth = locks[i].depth.saturating_add(lock.depth),
        Err(i) => locks.insert(i, lock),
    }
}

/// What both hold.
pub fn meet(a: &Locks, b: &Locks) -> Locks {
    if Arc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    let common = |lock: &Lock| {
        let i = b.binary_search_by_key(&lock.key(), Lock::key).ok()?;
        let mut lock = lock.clone();
        lock.depth = lock.depth.min(b[i].depth);
        let both = Value { pointers: lock.targets, ..Value::nothing() };
        lock.targets = both.join(&Value { pointers: b[i].targets.clone(), ..Value::nothing() }).pointers;
        Some(lock)
    };
    Arc::new(a.iter().filter_map(common).collect())
}

/// `a` holds at least the locks of `b`.
pub fn leq(a: &Locks, b: &Locks) -> bool {
    Arc::ptr_eq(a, b) || meet(a, b) == *b
}

pub fn renamed(locks: &Locks, names: &BTreeMap<Base, Base>, single: impl Fn(Base) -> bool) -> Locks {
    let touched = |lock: &Lock| {
        lock.targets.iter().any(|(base, _)| names.contains_key(base))
            || match lock.name.place {
                LockPlace::At(base, _) => names.contains_key(&base),
                LockPlace::Relative(term) => term.base.is_some_and(|base| names.contains_key(&base)),
            }
    };
    if !locks.iter().any(touched) {
        return locks.clone();
    }
    let mut result = Arc::new(Vec::new());
    for lock in locks.iter() {
        let mut lock = lock.clone();
        let value = Value { pointers: lock.targets.clone(), ..Value::nothing() };
        if let Some(value) = value.renamed(names) {
            lock.targets = value.pointers;
        }
        let new = |base: Base| match names.get(&base) {
            Some(to) => single(*to).then_some(*to),
            None => Some(base),
        };
        let place = match lock.name.place {
            LockPlace::At(base, offset) => new(base).map(|base| LockPlace::At(base, offset)),
            LockPlace::Relative(term) => Some(LockPlace::Relative(term.renamed(names))),
        };
        if let Some(place) = place {
            lock.name.place = place;
            insert(&mut result, lock);
        }
    }
    result
}

/// Every lock as `change` makes it; those it makes nothing of are dropped.
pub fn map(locks: &mut Locks, mut change: impl FnMut(&Lock) -> Option<Lock>) {
    let mut result = Arc::new(Vec::with_capacity(locks.len()));
    for lock in locks.iter() {
        if let Some(lock) = change(lock) {
            insert(&mut result, lock);
        }
    }
    *locks = result;
}

impl Lock {
    pub fn mentions(&self, symbol: Symbol) -> bool {
        let by_name = matches!(self.name.place, LockPlace::Relative(term) if term.symbol == symbol);
        by_name || self.condition.is_some_and(|c| Symbol::Variable(c.variable) == symbol)
    }
}

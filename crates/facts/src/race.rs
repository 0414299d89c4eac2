//! Which pairs of accesses may race: they conflict, may happen in parallel, and no protecting lockset, no order and no partition of the
//! memory keeps them apart.

mod access;
mod disjoint;
mod lockset;
mod parallel;

pub use access::AbstractAccess;
pub(crate) use lockset::same_lock;

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Alarm;
use program::{EdgeId, Program};

use crate::analysis::Facts;
use crate::tables::AbstractThread;

/// An alarm: two accesses that may race, as far as facts show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub first: AbstractAccess,
    pub second: AbstractAccess,
}

/// How the memory that an edge touches is kept from races, the weakest case of all its states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Sharing {
    /// No other thread can reach it, or no other thread runs.
    Local,
    /// No thread writes it any more.
    ReadOnly,
    /// Whoever conflicts holds the same lock, or is in an atomic section as well.
    Protected,
    /// Whoever conflicts runs before or after, or touches another part.
    Apart,
    /// Whoever conflicts is atomic, too.
    Atomic,
    Contended,
}

impl Facts {
    /// The pairs that may race, and how every other access is kept from it.
    pub fn pairs(&self, program: &Program) -> Pairs {
        self.pairs_within(program, &Alarm::default())
    }

    fn pairs_within(&self, program: &Program, alarm: &Alarm) -> Pairs {
        let mut pairs = Pairs::default();
        for accesses in self.shared_accesses(program).into_values() {
            self.pairs_of(program, &accesses, alarm, &mut pairs);
        }
        pairs
    }

    /// Accesses that may race; none means that no run has a race. `None` if that is not known, or if the alarm strikes.
    pub fn races(&self, program: &Program, alarm: &Alarm) -> Option<Vec<Candidate>> {
        let pairs = self.pairs_within(program, alarm);
        (!pairs.is_partial).then_some(pairs.racing)
    }

    fn pairs_of(&self, program: &Program, accesses: &[AbstractAccess], alarm: &Alarm, pairs: &mut Pairs) {
        let safe = |pairs: &mut Pairs, sharing: Sharing| {
            accesses.iter().for_each(|access| pairs.note(access, sharing));
        };
        if accesses.iter().all(|access| !access.write) {
            return safe(pairs, Sharing::ReadOnly);
        }
        let first = &accesses[0];
        if accesses.iter().all(|c| c.abstract_thread == first.abstract_thread) && !self.is_many(first.abstract_thread) {
            return safe(pairs, Sharing::Apart);
        }
        if self.have_common_lock(accesses) {
            return safe(pairs, Sharing::Protected);
        }
        // Where the first thread is the only one left, it needs no lock.
        let is_alone = |c: &&AbstractAccess| c.abstract_thread == AbstractThread(0) && c.state.alive.is_empty();
        accesses.iter().filter(is_alone).for_each(|access| pairs.note(access, Sharing::Apart));
        let together: Vec<AbstractAccess> = accesses.iter().filter(|c| !is_alone(c)).cloned().collect();
        let writes = together.iter().any(|access| access.write);
        if !writes || self.have_common_lock(&together) {
            let sharing = if writes { Sharing::Protected } else { Sharing::Apart };
            return together.iter().for_each(|access| pairs.note(access, sharing));
        }
        let classes = classes(&together);
        if classes.len() > MOST_CLASSES {
            pairs.is_partial = true;
            return safe(pairs, Sharing::Contended);
        }
        let mut contended = vec![false; classes.len()];
        for (i, (a, of_a)) in classes.iter().enumerate() {
            if alarm.struck().is_some() {
                pairs.is_partial = true;
                return;
            }
            for (j, (b, of_b)) in classes.iter().enumerate().skip(i) {
                // Enough pairs are known, and of these two nothing worse can be.
                if contended[i] && contended[j] && pairs.racing.len() >= MOST_PAIRS {
                    continue;
                }
                let sharing = self.relation(program, a, b);
                of_a.iter().chain(of_b).for_each(|c| pairs.note(c, sharing));
                if sharing == Sharing::Contended {
                    (contended[i], contended[j]) = (true, true);
                    pairs.racing.push(Candidate { first: (*a).clone(), second: (*b).clone() });
                }
            }
        }
    }

    /// What keeps two accesses with one object from racing.
    pub fn relation(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> Sharing {
        if !a.write && !b.write {
            return Sharing::ReadOnly;
        }
        if !a.at.overlaps(a.size, b.at, b.size) || self.are_disjoint(a, b) || !self.may_be_parallel(a, b) {
            return Sharing::Apart;
        }
        if self.is_too_early(program, a, b) || self.is_too_early(program, b, a) {
            return Sharing::Apart;
        }
        if a.atomic && b.atomic {
            return Sharing::Atomic;
        }
        if a.state.sections > 0 && b.state.sections > 0 || self.hold_same_lock(program, a, b) {
            return Sharing::Protected;
        }
        Sharing::Contended
    }
}

/// Of more pairs that may race, not all are listed; but every access that may race is in one of them.
const MOST_PAIRS: usize = 10_000;

/// Beyond this, pairs are not looked at one by one.
pub(crate) const MOST_CLASSES: usize = 2_000;

#[derive(Default)]
pub struct Pairs {
    pub racing: Vec<Candidate>,
    /// By node and edge.
    pub sharing: BTreeMap<(u32, EdgeId), Sharing>,
    /// Not all pairs were looked at: some object has too many classes of accesses, or the alarm struck.
    pub is_partial: bool,
}

impl Pairs {
    fn note(&mut self, access: &AbstractAccess, sharing: Sharing) {
        let slot = self.sharing.entry((access.node, access.edge)).or_insert(Sharing::Local);
        *slot = (*slot).max(sharing);
    }
}

/// Accesses that differ in nothing that matters are looked at once.
pub(crate) fn classes(accesses: &[AbstractAccess]) -> Vec<(&AbstractAccess, Vec<&AbstractAccess>)> {
    let same = |a: &AbstractAccess, b: &AbstractAccess| {
        (a.abstract_thread, a.at, a.size, a.write, a.atomic, a.term)
            == (b.abstract_thread, b.at, b.size, b.write, b.atomic, b.term)
            && (a.state.sections > 0) == (b.state.sections > 0)
            && a.state.locks == b.state.locks
            && a.state.alive == b.state.alive
            && a.state.ended == b.state.ended
            && (is_plain(a) && is_plain(b) || Arc::ptr_eq(&a.state, &b.state))
    };
    let mut classes: Vec<(&AbstractAccess, Vec<&AbstractAccess>)> = Vec::new();
    let mut by_key: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for access in accesses {
        let key = (access.abstract_thread, access.at, access.size, access.write, access.atomic);
        let near = by_key.entry(key).or_default();
        match near.iter().find(|i| same(classes[**i].0, access)) {
            Some(i) => classes[*i].1.push(access),
            None => {
                near.push(classes.len());
                classes.push((access, vec![access]));
            }
        }
    }
    classes
}

/// Does nothing else that its state knows matter?
fn is_plain(access: &AbstractAccess) -> bool {
    let state = &access.state;
    state.replicas.is_empty() && state.taken.is_empty() && state.seen.is_empty() && state.privatised.is_empty()
}

//! What keeps accesses to shared memory from racing: a protecting lockset (Savage et al., TOCS 1997), the creation and join of threads,
//! disjoint parts, atomicity.

use std::collections::{BTreeMap, BTreeSet};

use program::{EdgeId, FunctionId, Program};

use crate::analysis::Facts;
use crate::locks::{Kind, Lock, LockName, LockPlace, Mode};
use crate::race::{AbstractAccess, Sharing, classes, same_lock};
use crate::tables::{AbstractThread, Base};

/// An abstract object that several threads may reach, with its accesses.
pub struct SharedObject {
    pub base: Base,
    pub groups: Vec<AccessGroup>,
}

/// Accesses that differ only in where they are.
pub struct AccessGroup {
    pub accesses: Vec<AbstractAccess>,
    pub sharing: Sharing,
    /// What keeps them from racing with others.
    pub protections: BTreeSet<Protection>,
    /// Who may access the same memory in parallel.
    pub parallel: BTreeSet<AbstractThread>,
}

/// Why two accesses do not race.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Protection {
    /// All locks that both hold.
    Lockset(Vec<LockName>),
    Section,
    Atomic,
    /// Each thread has a part of its own.
    OwnPart,
    OtherPart,
    /// One has ended before the other begins.
    Order,
    /// Only one thread accesses it.
    OneThread,
}

/// Of more groups, pairs are not looked at.
const MOST_GROUPS: usize = 400;

impl SharedObject {
    pub fn accesses(&self) -> impl Iterator<Item = &AbstractAccess> {
        self.groups.iter().flat_map(|group| &group.accesses)
    }

    pub fn sharing(&self) -> Sharing {
        self.groups.iter().map(|group| group.sharing).fold(Sharing::Local, Sharing::harder)
    }

    pub fn protections(&self) -> BTreeSet<&Protection> {
        self.groups.iter().flat_map(|group| &group.protections).collect()
    }

    pub fn is_of_one_thread(&self) -> bool {
        self.protections().into_iter().eq([&Protection::OneThread])
    }
}

impl AbstractAccess {
    /// The locks that are held whenever the access is made. To have passed a once control is no lock.
    pub fn lockset(&self) -> impl Iterator<Item = &Lock> {
        let is_passed = |lock: &Lock| lock.name.kind == Kind::Once && lock.mode == Mode::Shared;
        self.state.locks.iter().filter(move |lock| lock.condition.is_none() && !is_passed(lock))
    }
}

impl Facts {
    /// Every object that several threads may reach, but for string literals.
    pub fn shared_objects(&self, program: &Program) -> Vec<SharedObject> {
        let shared = self.shared_accesses(program).into_iter();
        let variables = shared.filter(|(base, _)| !self.tables.is_string(program, *base));
        variables.map(|(base, accesses)| SharedObject { base, groups: self.groups(program, &accesses) }).collect()
    }

    /// How many operations of the program there are of each kind of sharing: the weakest case of all that may happen there.
    pub fn sharing_counts(&self, program: &Program, objects: &[SharedObject]) -> BTreeMap<Sharing, usize> {
        let operation = |access: &AbstractAccess| -> (FunctionId, EdgeId) {
            let call_string = self.tables.nodes[access.node as usize].call_string;
            (self.tables.call_strings[call_string].function, access.edge)
        };
        let mut worst: BTreeMap<(FunctionId, EdgeId), Sharing> = BTreeMap::new();
        let mut note = |access: &AbstractAccess, sharing: Sharing| {
            let slot = worst.entry(operation(access)).or_insert(Sharing::Local);
            *slot = slot.harder(sharing);
        };
        for node in 0..self.solution.states.len() as u32 {
            self.accesses(program, node).iter().for_each(|access| {
                let shared = !self.is_local(access) && self.tables.is_string(program, access.base);
                note(access, if shared { Sharing::ReadOnly } else { Sharing::Local });
            });
        }
        for group in objects.iter().flat_map(|object| &object.groups) {
            group.accesses.iter().for_each(|access| note(access, group.sharing));
        }
        let mut counts = BTreeMap::new();
        worst.into_values().for_each(|sharing| *counts.entry(sharing).or_default() += 1);
        counts
    }

    /// Locks that are held at every access, by all that write exclusively.
    pub fn protecting_lockset<'c>(&self, accesses: impl IntoIterator<Item = &'c AbstractAccess>) -> BTreeSet<LockName> {
        let mut common: Option<BTreeSet<LockName>> = None;
        for access in accesses {
            let held = self.useful_locks(access).filter(|lock| matches!(lock.name.place, LockPlace::At(..)));
            let held = held.filter(|lock| lock.mode == Mode::Exclusive || !access.write).map(|lock| lock.name);
            let held: BTreeSet<_> = held.collect();
            let left = common.map_or(held.clone(), |common| common.intersection(&held).copied().collect());
            if left.is_empty() {
                return left;
            }
            common = Some(left);
        }
        common.unwrap_or_default()
    }

    fn groups(&self, program: &Program, accesses: &[AbstractAccess]) -> Vec<AccessGroup> {
        let classes = classes(accesses);
        let mut groups: Vec<AccessGroup> = classes.iter().map(|(_, members)| AccessGroup::new(members)).collect();
        let first = &accesses[0];
        if accesses.iter().all(|c| c.abstract_thread == first.abstract_thread) && !self.is_many(first.abstract_thread) {
            for group in &mut groups {
                group.sharing = Sharing::Apart;
                group.protections.insert(Protection::OneThread);
            }
            return groups;
        }
        if classes.len() > MOST_GROUPS {
            let sharing = self.common_sharing(accesses);
            groups.iter_mut().for_each(|group| group.sharing = sharing);
            return groups;
        }
        for (i, (a, _)) in classes.iter().enumerate() {
            for (j, (b, _)) in classes.iter().enumerate().skip(i) {
                // A thread does not race with itself.
                if a.abstract_thread != b.abstract_thread || self.is_many(a.abstract_thread) {
                    let (sharing, protection) = self.protection(program, a, b);
                    let parallel = self.may_meet(a, b);
                    groups[i].note(sharing, protection.as_ref(), parallel.then_some(b.abstract_thread));
                    groups[j].note(sharing, protection.as_ref(), parallel.then_some(a.abstract_thread));
                }
            }
        }
        groups
    }

    /// Without a look at pairs.
    fn common_sharing(&self, accesses: &[AbstractAccess]) -> Sharing {
        match accesses.iter().any(|access| access.write) {
            false => Sharing::ReadOnly,
            true if self.protecting_lockset(accesses).is_empty() => Sharing::Contended,
            true => Sharing::Protected,
        }
    }

    /// May both access the same memory in parallel?
    fn may_meet(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        a.at.overlaps(a.size, b.at, b.size) && self.may_be_parallel(a, b) && !self.are_disjoint(a, b)
    }

    fn protection(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> (Sharing, Option<Protection>) {
        let sharing = self.relation(program, a, b);
        let protection = match sharing {
            Sharing::Local | Sharing::ReadOnly | Sharing::Contended => None,
            Sharing::Atomic => Some(Protection::Atomic),
            Sharing::Apart if !a.at.overlaps(a.size, b.at, b.size) => Some(Protection::OtherPart),
            Sharing::Apart if self.may_be_parallel(a, b) => Some(Protection::OwnPart),
            Sharing::Apart => Some(Protection::Order),
            Sharing::Protected if a.state.sections > 0 && b.state.sections > 0 => Some(Protection::Section),
            Sharing::Protected => Some(Protection::Lockset(self.common_locks(a, b))),
        };
        (sharing, protection)
    }

    /// Those known by their place, or else those that follow from a value (symbolic locksets).
    fn common_locks(&self, a: &AbstractAccess, b: &AbstractAccess) -> Vec<LockName> {
        let same = |first: &&Lock| {
            self.useful_locks(b).any(|second| {
                let exclusive = first.mode == Mode::Exclusive || second.mode == Mode::Exclusive;
                exclusive && first.name.kind == second.name.kind && same_lock(a, first, b, second)
            })
        };
        let common: BTreeSet<LockName> = self.useful_locks(a).filter(same).map(|lock| lock.name).collect();
        let (placed, relative): (Vec<_>, Vec<_>) =
            common.into_iter().partition(|lock| matches!(lock.place, LockPlace::At(..)));
        if placed.is_empty() { relative } else { placed }
    }
}

impl AccessGroup {
    fn new(accesses: &[&AbstractAccess]) -> AccessGroup {
        AccessGroup {
            accesses: accesses.iter().map(|access| (*access).clone()).collect(),
            sharing: Sharing::ReadOnly,
            protections: BTreeSet::new(),
            parallel: BTreeSet::new(),
        }
    }

    fn note(&mut self, sharing: Sharing, protection: Option<&Protection>, parallel: Option<AbstractThread>) {
        self.sharing = self.sharing.harder(sharing);
        self.protections.extend(protection.cloned());
        self.parallel.extend(parallel);
    }
}

impl Sharing {
    /// The one that takes more to keep: what needs a lock at times is protected, though at other times it is apart anyway.
    pub fn harder(self, other: Sharing) -> Sharing {
        let rank = |sharing| match sharing {
            Sharing::Local => 0,
            Sharing::ReadOnly => 1,
            Sharing::Apart => 2,
            Sharing::Protected => 3,
            Sharing::Atomic => 4,
            Sharing::Contended => 5,
        };
        if rank(self) >= rank(other) { self } else { other }
    }
}

//! Shared objects: who touches them where, and what keeps that from being a race.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use program::{EdgeId, FunctionId, Program};

use super::names::{Names, Spot};
use crate::analysis::Facts;
use crate::locks::{Kind, Lock, LockName, Mode, Place};
use crate::race::{AbstractAccess, Sharing, classes, same_lock};
use crate::tables::{AbstractThread, Base};

pub struct Survey {
    /// In order of the source.
    pub objects: Vec<Object>,
    /// How often operations of the program are of each kind, the weakest case of all that may happen there.
    pub counts: BTreeMap<Sharing, usize>,
}

pub struct Object {
    pub base: Base,
    pub groups: Vec<Group>,
}

/// Contacts that differ only in where they are.
pub struct Group {
    pub accesses: Vec<AbstractAccess>,
    pub sharing: Sharing,
    /// What keeps them from racing with others.
    pub means: BTreeSet<Means>,
    /// Who may touch the same memory at the same time.
    pub beside: BTreeSet<AbstractThread>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Means {
    /// All that both hold.
    Lock(Vec<LockName>),
    Section,
    Atomic,
    /// Each thread has a part of its own.
    OwnPart,
    OtherPart,
    /// One has ended before the other begins.
    Order,
    /// Only one thread touches it.
    OneThread,
}

/// Of more groups, pairs are not looked at.
const MOST_GROUPS: usize = 400;

impl Survey {
    pub fn new(names: &Names<'_>) -> Survey {
        let (facts, program) = (names.facts, names.program);
        let shared = facts.shared_accesses(program);
        let mut objects: Vec<Object> = shared
            .into_iter()
            .filter(|(base, _)| !names.is_string(*base))
            .map(|(base, accesses)| Object { base, groups: groups(names.program, facts, &accesses) })
            .collect();
        objects.sort_by_key(|object| (names.origin(object.base), object.base));
        let counts = counts(names, &objects);
        Survey { objects, counts }
    }
}

impl Object {
    pub fn accesses(&self) -> impl Iterator<Item = &AbstractAccess> {
        self.groups.iter().flat_map(|group| &group.accesses)
    }

    pub fn sharing(&self) -> Sharing {
        self.groups.iter().map(|group| group.sharing).fold(Sharing::Local, Sharing::harder)
    }

    pub fn means(&self) -> BTreeSet<&Means> {
        self.groups.iter().flat_map(|group| &group.means).collect()
    }

    pub fn is_of_one_thread(&self) -> bool {
        self.means().into_iter().eq([&Means::OneThread])
    }
}

/// Locks that are held at every access, by all that write alone.
fn locks_of_all<'c>(facts: &Facts, accesses: impl Iterator<Item = &'c AbstractAccess>) -> BTreeSet<LockName> {
    let mut common: Option<BTreeSet<LockName>> = None;
    for access in accesses {
        let held = facts.useful_locks(access).filter(|lock| matches!(lock.name.place, Place::At(..)));
        let held = held.filter(|lock| lock.mode == Mode::Exclusive || !access.write).map(|lock| lock.name);
        let held: BTreeSet<_> = held.collect();
        common = Some(common.map_or(held.clone(), |common| common.intersection(&held).copied().collect()));
    }
    common.unwrap_or_default()
}

fn groups(program: &Program, facts: &Facts, accesses: &[AbstractAccess]) -> Vec<Group> {
    let classes = classes(accesses);
    let mut groups: Vec<Group> = classes
        .iter()
        .map(|(_, members)| Group {
            accesses: members.iter().map(|access| (*access).clone()).collect(),
            sharing: Sharing::ReadOnly,
            means: BTreeSet::new(),
            beside: BTreeSet::new(),
        })
        .collect();
    let first = &accesses[0];
    if accesses.iter().all(|c| c.abstract_thread == first.abstract_thread) && !facts.is_many(first.abstract_thread) {
        for group in &mut groups {
            group.sharing = Sharing::Apart;
            group.means.insert(Means::OneThread);
        }
        return groups;
    }
    if classes.len() > MOST_GROUPS {
        let sharing = match accesses.iter().any(|access| access.write) {
            false => Sharing::ReadOnly,
            true if locks_of_all(facts, accesses.iter()).is_empty() => Sharing::Contended,
            true => Sharing::Protected,
        };
        groups.iter_mut().for_each(|group| group.sharing = sharing);
        return groups;
    }
    for (i, (a, _)) in classes.iter().enumerate() {
        for (j, (b, _)) in classes.iter().enumerate().skip(i) {
            // A thread does not race with itself.
            if a.abstract_thread == b.abstract_thread && !facts.is_many(a.abstract_thread) {
                continue;
            }
            let sharing = facts.relation(program, a, b);
            let means = means(facts, a, b, sharing);
            let together =
                a.at.overlaps(a.size, b.at, b.size) && facts.may_be_parallel(a, b) && !facts.are_disjoint(a, b);
            for (group, other) in [(i, b.abstract_thread), (j, a.abstract_thread)] {
                groups[group].sharing = groups[group].sharing.harder(sharing);
                groups[group].means.extend(means.iter().cloned());
                if together {
                    groups[group].beside.insert(other);
                }
            }
        }
    }
    groups
}

fn means(facts: &Facts, a: &AbstractAccess, b: &AbstractAccess, sharing: Sharing) -> Vec<Means> {
    match sharing {
        Sharing::Local | Sharing::ReadOnly | Sharing::Contended => Vec::new(),
        Sharing::Atomic => vec![Means::Atomic],
        Sharing::Apart if !a.at.overlaps(a.size, b.at, b.size) => vec![Means::OtherPart],
        Sharing::Apart if facts.may_be_parallel(a, b) => vec![Means::OwnPart],
        Sharing::Apart => vec![Means::Order],
        Sharing::Protected if a.state.sections > 0 && b.state.sections > 0 => vec![Means::Section],
        Sharing::Protected => vec![Means::Lock(common_locks(facts, a, b))],
    }
}

/// Those known by their place, or else those that follow from a value.
fn common_locks(facts: &Facts, a: &AbstractAccess, b: &AbstractAccess) -> Vec<LockName> {
    let same = |first: &&Lock| {
        facts.useful_locks(b).any(|second| {
            let exclusive = first.mode == Mode::Exclusive || second.mode == Mode::Exclusive;
            exclusive && first.name.kind == second.name.kind && same_lock(a, first, b, second)
        })
    };
    let common: BTreeSet<LockName> = facts.useful_locks(a).filter(same).map(|lock| lock.name).collect();
    let (placed, relative): (Vec<_>, Vec<_>) = common.into_iter().partition(|lock| matches!(lock.place, Place::At(..)));
    if placed.is_empty() { relative } else { placed }
}

fn counts(names: &Names<'_>, objects: &[Object]) -> BTreeMap<Sharing, usize> {
    let (facts, program) = (names.facts, names.program);
    let operation = |access: &AbstractAccess| -> (FunctionId, EdgeId) {
        let call_string = facts.tables.nodes[access.node as usize].call_string;
        (facts.tables.call_strings[call_string].function, access.edge)
    };
    let mut worst: BTreeMap<(FunctionId, EdgeId), Sharing> = BTreeMap::new();
    let mut note = |access: &AbstractAccess, sharing: Sharing| {
        let slot = worst.entry(operation(access)).or_insert(Sharing::Local);
        *slot = slot.harder(sharing);
    };
    for node in 0..facts.solution.states.len() as u32 {
        facts.accesses(program, node).iter().for_each(|access| {
            let shared = !facts.is_local(access) && names.is_string(access.base);
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

impl Names<'_> {
    pub fn contact_span(&self, access: &AbstractAccess) -> Span {
        self.span(self.facts.tables.nodes[access.node as usize].call_string, access.edge)
    }

    pub fn contact_spot(&self, access: &AbstractAccess) -> Spot {
        self.spot_of(self.facts.tables.nodes[access.node as usize].call_string, access.edge)
    }

    pub fn contact_part(&self, access: &AbstractAccess) -> String {
        self.part(access.base, access.at, access.size)
    }

    /// Locks that are surely held, each under one name.
    pub fn held(&self, access: &AbstractAccess) -> Vec<String> {
        let locks: Vec<&Lock> = locks_held(access).collect();
        let placed = |lock: &Lock| match lock.name.place {
            Place::At(..) => false,
            Place::Relative(_) => locks.iter().any(|other| {
                let at = matches!(other.name.place, Place::At(..));
                at && other.name.kind == lock.name.kind && other.targets == lock.targets
            }),
        };
        let mut held: Vec<String> = Vec::new();
        for lock in locks.iter().filter(|lock| !placed(lock)) {
            let name = self.lock(lock);
            if !held.contains(&name) {
                held.push(name);
            }
        }
        held.sort();
        if access.state.sections > 0 {
            held.push("an atomic section".to_owned());
        }
        held
    }

    pub fn lock_names(&self, locks: &[LockName]) -> String {
        let names: BTreeSet<String> = locks.iter().map(|lock| self.lock_name(*lock)).collect();
        Vec::from_iter(names).join(", ")
    }

    fn means(&self, means: &Means) -> String {
        match means {
            Means::Lock(locks) => format!("hold {}", self.lock_names(locks)),
            Means::Section => "are in atomic sections".to_owned(),
            Means::Atomic => "are atomic".to_owned(),
            Means::OwnPart => "are to a part that each thread has of its own".to_owned(),
            Means::OtherPart => "are to different parts".to_owned(),
            Means::Order => "are separated by the start or end of a thread".to_owned(),
            Means::OneThread => "are made by one thread only".to_owned(),
        }
    }

    /// What keeps an object from races, in a few words.
    pub fn kept(&self, object: &Object) -> String {
        let accesses = || object.accesses();
        if accesses().all(|access| !access.write) {
            return "only read once threads run".to_owned();
        }
        if object.is_of_one_thread() {
            return format!("used by {} only", self.abstract_thread(object.groups[0].accesses[0].abstract_thread));
        }
        if object.sharing() == Sharing::Contended {
            return "contended".to_owned();
        }
        let locks = locks_of_all(self.facts, object.accesses());
        if !locks.is_empty() {
            return format!("always accessed holding {}", self.lock_names(&Vec::from_iter(locks)));
        }
        if accesses().all(|access| access.state.sections > 0) {
            return "always accessed in atomic sections".to_owned();
        }
        if accesses().all(|access| access.atomic) {
            return "only atomic accesses".to_owned();
        }
        let mut means: Vec<String> = Vec::new();
        for kept in object.means() {
            let text = self.means(kept);
            if !means.contains(&text) {
                means.push(text);
            }
        }
        format!("conflicting accesses {}", means.join(", or "))
    }
}

/// Those that are surely held. To have passed a once control is no lock.
pub fn locks_held(access: &AbstractAccess) -> impl Iterator<Item = &Lock> {
    let is_passed = |lock: &Lock| lock.name.kind == Kind::Once && lock.mode == Mode::Shared;
    access.state.locks.iter().filter(move |lock| lock.condition.is_none() && !is_passed(lock))
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

    pub fn name(self) -> &'static str {
        match self {
            Sharing::Local => "local",
            Sharing::ReadOnly => "read-only",
            Sharing::Protected => "protected",
            Sharing::Apart => "apart",
            Sharing::Atomic => "atomic",
            Sharing::Contended => "contended",
        }
    }
}

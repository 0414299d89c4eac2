//! Shared objects in words: who accesses them where, and what keeps that from being a race.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use facts::locks::{Lock, LockName, LockPlace};
use facts::{AbstractAccess, Protection, SharedObject, Sharing};

use super::names::{Names, Spot};

pub struct Survey {
    /// In order of the source.
    pub objects: Vec<SharedObject>,
    /// How many operations of the program there are of each kind of sharing.
    pub counts: BTreeMap<Sharing, usize>,
}

impl Survey {
    pub fn new(names: &Names<'_>) -> Survey {
        let mut objects = names.facts.shared_objects(names.program);
        objects.sort_by_key(|object| (names.origin(object.base), object.base));
        let counts = names.facts.sharing_counts(names.program, &objects);
        Survey { objects, counts }
    }
}

impl Names<'_> {
    pub fn access_span(&self, access: &AbstractAccess) -> Span {
        self.span(self.facts.tables.nodes[access.node as usize].call_string, access.edge)
    }

    pub fn access_spot(&self, access: &AbstractAccess) -> Spot {
        self.spot_of(self.facts.tables.nodes[access.node as usize].call_string, access.edge)
    }

    pub fn access_part(&self, access: &AbstractAccess) -> String {
        self.part(access.base, access.at, access.size)
    }

    /// Locks that are surely held, each under one name.
    pub fn held(&self, access: &AbstractAccess) -> Vec<String> {
        let locks: Vec<&Lock> = access.lockset().collect();
        let placed = |lock: &Lock| match lock.name.place {
            LockPlace::At(..) => false,
            LockPlace::Relative(_) => locks.iter().any(|other| {
                let at = matches!(other.name.place, LockPlace::At(..));
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

    fn protection(&self, protection: &Protection) -> String {
        match protection {
            Protection::Lockset(locks) => format!("hold {}", self.lock_names(locks)),
            Protection::Section => "are in atomic sections".to_owned(),
            Protection::Atomic => "are atomic".to_owned(),
            Protection::OwnPart => "are to a part that each thread has of its own".to_owned(),
            Protection::OtherPart => "are to different parts".to_owned(),
            Protection::Order => "are separated by the start or end of a thread".to_owned(),
            Protection::OneThread => "are made by one thread only".to_owned(),
        }
    }

    /// What keeps an object from races, in a few words.
    pub fn kept(&self, object: &SharedObject) -> String {
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
        let locks = self.facts.protecting_lockset(object.accesses());
        if !locks.is_empty() {
            return format!("always accessed holding {}", self.lock_names(&Vec::from_iter(locks)));
        }
        if accesses().all(|access| access.state.sections > 0) {
            return "always accessed in atomic sections".to_owned();
        }
        if accesses().all(|access| access.atomic) {
            return "only atomic accesses".to_owned();
        }
        let mut protections: Vec<String> = Vec::new();
        for protection in object.protections() {
            let text = self.protection(protection);
            if !protections.contains(&text) {
                protections.push(text);
            }
        }
        format!("conflicting accesses {}", protections.join(", or "))
    }
}

pub fn sharing_name(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::Local => "local",
        Sharing::ReadOnly => "read-only",
        Sharing::Protected => "protected",
        Sharing::Apart => "apart",
        Sharing::Atomic => "atomic",
        Sharing::Contended => "contended",
    }
}

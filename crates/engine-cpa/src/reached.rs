//! The reached set, and whether it covers a new state.

use std::hash::{BuildHasher, Hash};

use analyses::Analysis;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// How the set is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Partition {
    /// Every state is compared with every other: for comparison only.
    None,
    /// Only with those of the same location vector and locks.
    Places,
    /// By hash first, then with those of the same location vector that represent more than one state.
    Hash,
}

/// The key of a state: of its threads, of its data.
pub type Key<K> = (u32, K);

/// What is to know of a node.
pub struct Seen<K> {
    pub key: Key<K>,
    pub is_exact: bool,
    /// Joined into another one.
    pub is_gone: bool,
}

pub struct Reached {
    partition: Partition,
    /// Nodes by the hash of their keys; the nodes hold the keys.
    exact: HashTable<u32>,
    by_places: FxHashMap<u32, Vec<u32>>,
    all: Vec<u32>,
    /// Comparisons of two states.
    pub checks: u64,
}

impl Reached {
    pub fn new(partition: Partition) -> Self {
        Reached { partition, exact: HashTable::new(), by_places: FxHashMap::default(), all: Vec::new(), checks: 0 }
    }

    /// A state that covers this one. `state` gives a node's key, whether it is still there, and whether it represents one
    /// state only.
    pub fn covering<K: Copy + Eq + Hash, A: Analysis<Key = Key<K>>>(
        &mut self,
        analysis: &mut A,
        key: Key<K>,
        state: impl Fn(u32) -> Seen<K>,
    ) -> Option<u32> {
        if self.partition == Partition::Hash {
            self.checks += 1;
            if let Some(node) = self.find(key, |node| state(node).key) {
                return Some(node);
            }
        }
        let candidates = match self.partition {
            Partition::None => &self.all[..],
            Partition::Places | Partition::Hash => self.by_places.get(&key.0).map_or(&[][..], |nodes| nodes),
        };
        for node in candidates {
            let other = state(*node);
            if other.is_gone || self.partition == Partition::Hash && other.is_exact {
                continue;
            }
            self.checks += 1;
            if analysis.leq(key, other.key) {
                return Some(*node);
            }
        }
        None
    }

    /// This very state. `key_of` gives a node's key.
    pub fn find<K: Eq + Hash>(&self, key: Key<K>, key_of: impl Fn(u32) -> Key<K>) -> Option<u32> {
        self.exact.find(hash(&key), |node| key_of(*node) == key).copied()
    }

    /// The states of the same location vector.
    pub fn neighbours(&self, threads: u32) -> &[u32] {
        self.by_places.get(&threads).map_or(&[], |nodes| nodes)
    }

    pub fn insert<K: Eq + Hash>(&mut self, key: Key<K>, node: u32, is_exact: bool, key_of: impl Fn(u32) -> Key<K>) {
        match self.exact.find_mut(hash(&key), |node| key_of(*node) == key) {
            Some(known) => *known = node,
            None => drop(self.exact.insert_unique(hash(&key), node, |node| hash(&key_of(*node)))),
        }
        // Exact ones are found by hash.
        if self.partition != Partition::Hash || !is_exact {
            self.by_places.entry(key.0).or_default().push(node);
        }
        if self.partition == Partition::None {
            self.all.push(node);
        }
    }

    pub fn remove<K: Hash>(&mut self, key: Key<K>, node: u32) {
        if let Ok(entry) = self.exact.find_entry(hash(&key), |other| *other == node) {
            entry.remove();
        }
        if let Some(nodes) = self.by_places.get_mut(&key.0) {
            nodes.retain(|other| *other != node);
        }
    }
}

fn hash(key: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

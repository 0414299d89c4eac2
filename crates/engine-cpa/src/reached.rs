//! The states that were reached, and whether a new one is among them.

use std::hash::Hash;

use analyses::Analysis;
use rustc_hash::FxHashMap;

/// How the set is searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Partition {
    /// Every state is compared with every other: for comparison only.
    None,
    /// Only with those whose threads are at the same places, with the same locks.
    Places,
    /// By hash first, then with those at the same places that stand for more than one state.
    Hash,
}

/// The key of a state: of its threads, of its data.
pub type Key<K> = (u32, K);

pub struct Reached<K> {
    partition: Partition,
    exact: FxHashMap<Key<K>, u32>,
    by_places: FxHashMap<u32, Vec<u32>>,
    all: Vec<u32>,
    /// Comparisons of two states.
    pub checks: u64,
}

impl<K: Copy + Eq + Hash> Reached<K> {
    pub fn new(partition: Partition) -> Self {
        Reached { partition, exact: FxHashMap::default(), by_places: FxHashMap::default(), all: Vec::new(), checks: 0 }
    }

    /// A state that stands for this one. `state` tells a node's key, if it is still there, and whether it stands for one state
    /// only.
    pub fn covering<A: Analysis<Key = Key<K>>>(
        &mut self,
        analysis: &mut A,
        key: Key<K>,
        state: impl Fn(u32) -> Option<(Key<K>, bool)>,
    ) -> Option<u32> {
        if self.partition == Partition::Hash {
            self.checks += 1;
            if let Some(node) = self.exact.get(&key) {
                return Some(*node);
            }
        }
        let candidates = match self.partition {
            Partition::None => &self.all[..],
            Partition::Places | Partition::Hash => self.by_places.get(&key.0).map_or(&[][..], |nodes| nodes),
        };
        for node in candidates {
            let Some((other, is_exact)) = state(*node) else { continue };
            if self.partition == Partition::Hash && is_exact {
                continue;
            }
            self.checks += 1;
            if analysis.leq(key, other) {
                return Some(*node);
            }
        }
        None
    }

    /// This very state.
    pub fn find(&self, key: Key<K>) -> Option<u32> {
        self.exact.get(&key).copied()
    }

    /// The states at the same places.
    pub fn neighbours(&self, threads: u32) -> &[u32] {
        self.by_places.get(&threads).map_or(&[], |nodes| nodes)
    }

    pub fn insert(&mut self, key: Key<K>, node: u32, is_exact: bool) {
        self.exact.insert(key, node);
        // Exact ones are found by hash.
        if self.partition != Partition::Hash || !is_exact {
            self.by_places.entry(key.0).or_default().push(node);
        }
        if self.partition == Partition::None {
            self.all.push(node);
        }
    }

    pub fn remove(&mut self, key: Key<K>, node: u32) {
        self.exact.remove(&key);
        if let Some(nodes) = self.by_places.get_mut(&key.0) {
            nodes.retain(|other| *other != node);
        }
    }
}

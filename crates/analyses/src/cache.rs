//! A cache of bounded size: where there is no room, a new entry takes the place of an old one.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

const FEWEST: usize = 1 << 10;
const MOST: usize = 1 << 18;
/// So many lookups are made before it is judged whether the cache helps.
const TRIED: u64 = 1 << 16;

pub struct Cache<K, V> {
    /// As many as a power of two says, or none at first.
    entries: Vec<Option<(K, V)>>,
    used: usize,
    hits: u64,
    misses: u64,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Cache { entries: Vec::new(), used: 0, hits: 0, misses: 0 }
    }
}

impl<K: Copy + Eq + Hash, V: Copy> Cache<K, V> {
    pub fn get(&mut self, key: &K) -> Option<V> {
        match self.entries.get(self.place(key)) {
            Some(Some((known, value))) if known == key => {
                self.hits += 1;
                Some(*value)
            }
            _ => {
                self.misses += 1;
                None
            }
        }
    }

    pub fn insert(&mut self, key: K, value: V) {
        if self.used * 2 >= self.entries.len() && self.entries.len() < MOST {
            self.grow();
        }
        let place = self.place(&key);
        self.used += usize::from(self.entries[place].is_none());
        self.entries[place] = Some((key, value));
    }

    /// Do most lookups find an entry?
    pub fn helps(&self) -> bool {
        self.misses < TRIED || self.hits > self.misses
    }

    fn place(&self, key: &K) -> usize {
        FxBuildHasher.hash_one(key) as usize & self.entries.len().wrapping_sub(1)
    }

    fn grow(&mut self) {
        let larger = (self.entries.len() * 2).max(FEWEST);
        let old = std::mem::take(&mut self.entries);
        self.entries.resize_with(larger, || None);
        for (key, value) in old.into_iter().flatten() {
            let place = self.place(&key);
            self.entries[place] = Some((key, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_one_that_was_given() {
        let mut table = Cache::default();
        assert_eq!(table.get(&7), None);
        for key in 0..MOST as u64 * 4 {
            table.insert(key, key + 1);
            assert_eq!(table.get(&key), Some(key + 1));
        }
        assert!((0..MOST as u64 * 4).all(|key| table.get(&key).is_none_or(|value| value == key + 1)));
        assert_eq!(table.entries.len(), MOST);
    }
}

//! Maps that share what is equal: the states of a fixpoint differ in a few places, so most of two states is one tree in memory, and
//! merging or comparing them costs what differs.
//!
//! Big-endian Patricia tries (Okasaki and Gill, "Fast mergeable integer maps", 1998). The shape of a trie depends on its keys only,
//! not on how it came about.

mod iter;
mod merge;
mod node;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

pub use iter::Iter;
use merge::Alone;
use node::{Node, Tree, Visit};

/// From `u32` to `V`, cheap to clone. A set is a `Map<()>`.
#[derive(Clone)]
pub struct Map<V> {
    root: Tree<V>,
}

impl<V> Map<V> {
    pub fn new() -> Self {
        Map { root: None }
    }

    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, |root| root.len())
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub fn get(&self, key: u32) -> Option<&V> {
        self.root.as_ref()?.get(key)
    }

    pub fn contains(&self, key: u32) -> bool {
        self.get(key).is_some()
    }

    /// In the order of the keys.
    pub fn iter(&self) -> Iter<'_, V> {
        Iter::new(&self.root, 0, u32::MAX)
    }

    /// The entries with keys in `range`, in the order of the keys. Costs nothing for the others.
    pub fn iter_range(&self, range: Range<u32>) -> Iter<'_, V> {
        if range.is_empty() { Iter::new(&None, 0, 0) } else { Iter::new(&self.root, range.start, range.end - 1) }
    }

    /// Are both the same tree in memory? Then they are equal, but not the other way round.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        node::same(self.root.as_ref(), other.root.as_ref())
    }

    /// Does `holds` for every key of either map, given what each map has there? Trees that both share are skipped: law for
    /// `holds` is that it is true of equal values.
    pub fn includes(&self, other: &Self, mut holds: impl FnMut(u32, Option<&V>, Option<&V>) -> bool) -> bool {
        merge::all(self.root.as_ref(), other.root.as_ref(), &mut holds)
    }
}

impl<V: Clone> Map<V> {
    pub fn remove(&mut self, key: u32) {
        self.remove_inclusive(key, key);
    }

    /// Costs what is in the range's borders, not in the range.
    pub fn remove_range(&mut self, range: Range<u32>) {
        if !range.is_empty() {
            self.remove_inclusive(range.start, range.end - 1);
        }
    }

    fn remove_inclusive(&mut self, first: u32, last: u32) {
        self.revise(|node| {
            if node.last() < first || last < node.first() {
                Visit::Keep
            } else if first <= node.first() && node.last() <= last {
                Visit::Drop
            } else {
                Visit::Descend
            }
        });
    }

    pub fn retain(&mut self, mut keep: impl FnMut(u32, &V) -> bool) {
        self.revise(|node| match node {
            Node::Branch { .. } => Visit::Descend,
            Node::Leaf { key, value } if keep(*key, value) => Visit::Keep,
            Node::Leaf { .. } => Visit::Drop,
        });
    }

    /// Every value replaced by what `change` makes of it; `None` leaves it. Trees without a change are shared.
    pub fn map_values(&self, mut change: impl FnMut(u32, &V) -> Option<V>) -> Self {
        let mut result = self.clone();
        result.revise(|node| match node {
            Node::Branch { .. } => Visit::Descend,
            Node::Leaf { key, value } => change(*key, value).map_or(Visit::Keep, Visit::Replace),
        });
        result
    }

    fn revise(&mut self, mut visit: impl FnMut(&Node<V>) -> Visit<V>) {
        if let Some(root) = &self.root
            && let Some(changed) = node::revise(root, &mut visit)
        {
            self.root = changed;
        }
    }
}

impl<V: Clone + PartialEq> Map<V> {
    /// The tree stays the same, in memory too, if it has an equal value there.
    pub fn insert(&mut self, key: u32, value: V) {
        match &mut self.root {
            None => self.root = Some(Arc::new(Node::Leaf { key, value })),
            Some(root) if root.get(key) == Some(&value) => {}
            Some(root) => node::insert(root, key, value),
        }
    }

    /// All keys of both. Law for `join`: `join(k, v, v) == v`, for trees that both share are not looked at.
    /// The result is `self`, in memory too, if it is equal to that, otherwise `other` if it is equal to that.
    pub fn union(&self, other: &Self, mut join: impl FnMut(u32, &V, &V) -> V) -> Self {
        self.merge(other, Alone::Keep, &mut |key, a, b| Some(join(key, a, b)))
    }

    /// The keys of both for which `meet` has a value. Law for `meet`: `meet(k, v, v) == Some(v)`, for trees that both share are
    /// not looked at. The result is `self`, in memory too, if it is equal to that, otherwise `other` if it is equal to that.
    pub fn intersect(&self, other: &Self, mut meet: impl FnMut(u32, &V, &V) -> Option<V>) -> Self {
        self.merge(other, Alone::Drop, &mut meet)
    }

    fn merge(&self, other: &Self, alone: Alone, both: &mut impl FnMut(u32, &V, &V) -> Option<V>) -> Self {
        let (a, b) = (self.root.as_ref(), other.root.as_ref());
        Map { root: merge::merge(a, b, alone, both).tree(a, b) }
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<V: PartialEq> PartialEq for Map<V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.includes(other, |_, a, b| a == b)
    }
}

impl<V: Eq> Eq for Map<V> {}

impl<V: Hash> Hash for Map<V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        for entry in self {
            entry.hash(state);
        }
    }
}

impl<V: fmt::Debug> fmt::Debug for Map<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<V: Clone + PartialEq> FromIterator<(u32, V)> for Map<V> {
    fn from_iter<I: IntoIterator<Item = (u32, V)>>(entries: I) -> Self {
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<'a, V> IntoIterator for &'a Map<V> {
    type Item = (u32, &'a V);
    type IntoIter = Iter<'a, V>;

    fn into_iter(self) -> Iter<'a, V> {
        self.iter()
    }
}

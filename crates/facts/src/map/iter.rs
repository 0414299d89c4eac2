//! The entries of a trie in the order of the keys.

use smallvec::SmallVec;

use super::node::{Node, Tree};

pub struct Iter<'a, V> {
    /// What is still to come, the nearest last; all of it may hold keys in the range.
    pending: SmallVec<[&'a Node<V>; 8]>,
    first: u32,
    last: u32,
}

impl<'a, V> Iter<'a, V> {
    /// Keys from `first` to `last`, both included.
    pub(super) fn new(tree: &'a Tree<V>, first: u32, last: u32) -> Self {
        let mut iter = Iter { pending: SmallVec::new(), first, last };
        if let Some(node) = tree {
            iter.push(node);
        }
        iter
    }

    fn push(&mut self, node: &'a Node<V>) {
        if self.first <= node.last() && node.first() <= self.last {
            self.pending.push(node);
        }
    }
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (u32, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pending.pop()? {
                Node::Leaf { key, value } => return Some((*key, value)),
                Node::Branch { left, right, .. } => {
                    self.push(right);
                    self.push(left);
                }
            }
        }
    }
}

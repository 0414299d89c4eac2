//! The nodes of a trie, and what changes a single one.

use std::sync::Arc;

pub type Tree<V> = Option<Arc<Node<V>>>;

#[derive(Clone)]
pub enum Node<V> {
    Leaf {
        key: u32,
        value: V,
    },
    Branch {
        /// What all keys have above `bit`; zeros from there down.
        prefix: u32,
        /// The one bit set in it tells the keys on the left, which have it not, from those on the right.
        bit: u32,
        len: usize,
        left: Arc<Node<V>>,
        right: Arc<Node<V>>,
    },
}

/// What to do with a node and all below it.
pub enum Visit<V> {
    Keep,
    Drop,
    /// Only for branches.
    Descend,
    /// Only for leaves.
    Replace(V),
}

impl<V> Node<V> {
    /// The least key that may be in it.
    pub fn first(&self) -> u32 {
        match self {
            Node::Leaf { key, .. } => *key,
            Node::Branch { prefix, .. } => *prefix,
        }
    }

    /// The greatest key that may be in it.
    pub fn last(&self) -> u32 {
        let bit = self.bit();
        self.first() | (bit + bit.saturating_sub(1))
    }

    /// Zero for a leaf.
    pub fn bit(&self) -> u32 {
        match self {
            Node::Leaf { .. } => 0,
            Node::Branch { bit, .. } => *bit,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Node::Leaf { .. } => 1,
            Node::Branch { len, .. } => *len,
        }
    }

    pub fn get(&self, wanted: u32) -> Option<&V> {
        let mut node = self;
        loop {
            match node {
                Node::Leaf { key, value } => return (*key == wanted).then_some(value),
                Node::Branch { bit, left, right, .. } => node = if wanted & bit == 0 { left } else { right },
            }
        }
    }
}

pub fn same<V>(a: Option<&Arc<Node<V>>>, b: Option<&Arc<Node<V>>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// The bit at which a tree that holds all keys of two nodes would branch first; zero for two leaves with one key.
pub fn top_bit<V>(a: &Node<V>, b: &Node<V>) -> u32 {
    a.bit().max(b.bit()).max(highest_bit(a.first() ^ b.first()))
}

fn highest_bit(word: u32) -> u32 {
    word.checked_ilog2().map_or(0, |index| 1 << index)
}

/// All keys on the left lack `bit`, all on the right have it, and they agree above it.
pub fn branch<V>(bit: u32, left: Arc<Node<V>>, right: Arc<Node<V>>) -> Arc<Node<V>> {
    let prefix = right.first() & !(bit + (bit - 1));
    Arc::new(Node::Branch { prefix, bit, len: left.len() + right.len(), left, right })
}

pub fn join<V>(bit: u32, left: Tree<V>, right: Tree<V>) -> Tree<V> {
    match (left, right) {
        (Some(left), Some(right)) => Some(branch(bit, left, right)),
        (only, None) | (None, only) => only,
    }
}

/// In place as far down as the tree is not shared.
pub fn insert<V: Clone>(node: &mut Arc<Node<V>>, key: u32, value: V) {
    let bit = node.bit().max(highest_bit(node.first() ^ key));
    if bit == 0 {
        *node = Arc::new(Node::Leaf { key, value });
    } else if bit == node.bit() {
        insert_below(Arc::make_mut(node), key, value);
    } else {
        let (old, new) = (node.clone(), Arc::new(Node::Leaf { key, value }));
        *node = if key & bit == 0 { branch(bit, new, old) } else { branch(bit, old, new) };
    }
}

fn insert_below<V: Clone>(node: &mut Node<V>, key: u32, value: V) {
    if let Node::Branch { bit, len, left, right, .. } = node {
        insert(if key & *bit == 0 { left } else { right }, key, value);
        *len = left.len() + right.len();
    }
}

/// What becomes of a tree of which `visit` decides from the root down; `None` if nothing changes.
pub fn revise<V>(node: &Arc<Node<V>>, visit: &mut impl FnMut(&Node<V>) -> Visit<V>) -> Option<Tree<V>> {
    match (visit(node), &**node) {
        (Visit::Drop, _) => Some(None),
        (Visit::Replace(value), Node::Leaf { key, .. }) => Some(Some(Arc::new(Node::Leaf { key: *key, value }))),
        (Visit::Descend, Node::Branch { bit, left, right, .. }) => match (revise(left, visit), revise(right, visit)) {
            (None, None) => None,
            (new_left, new_right) => {
                let new_left = new_left.unwrap_or_else(|| Some(left.clone()));
                let new_right = new_right.unwrap_or_else(|| Some(right.clone()));
                Some(join(*bit, new_left, new_right))
            }
        },
        _ => None,
    }
}

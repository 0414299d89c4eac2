//! Two tries walked together.

use std::sync::Arc;

use super::node::{Node, Tree, join, same, top_bit};

type Part<'a, V> = Option<&'a Arc<Node<V>>>;

/// What becomes of a key that only one side has.
#[derive(Clone, Copy)]
pub enum Alone {
    Keep,
    Drop,
}

/// What a merge yields, told by what it is equal to, so that nothing is built that is already there.
pub enum Merged<V> {
    Both,
    Left,
    Right,
    New(Tree<V>),
}

impl<V> Merged<V> {
    pub fn tree(self, a: Part<V>, b: Part<V>) -> Tree<V> {
        match self {
            Merged::Both | Merged::Left => a.cloned(),
            Merged::Right => b.cloned(),
            Merged::New(tree) => tree,
        }
    }

    fn is_left(&self) -> bool {
        matches!(self, Merged::Both | Merged::Left)
    }

    fn is_right(&self) -> bool {
        matches!(self, Merged::Both | Merged::Right)
    }

    fn equal_to(left: bool, right: bool, otherwise: impl FnOnce() -> Tree<V>) -> Self {
        match (left, right) {
            (true, true) => Merged::Both,
            (true, false) => Merged::Left,
            (false, true) => Merged::Right,
            (false, false) => Merged::New(otherwise()),
        }
    }
}

pub fn merge<V: PartialEq>(
    a: Part<V>,
    b: Part<V>,
    alone: Alone,
    both: &mut impl FnMut(u32, &V, &V) -> Option<V>,
) -> Merged<V> {
    if same(a, b) {
        return Merged::Both;
    }
    let (Some(a), Some(b)) = (a, b) else {
        return merge_alone(a, alone);
    };
    match (&**a, &**b, top_bit(a, b)) {
        (Node::Leaf { key, value: a }, Node::Leaf { value: b, .. }, 0) => merge_values(*key, a, b, both),
        (_, _, bit) => {
            let ([a_left, a_right], [b_left, b_right]) = (split(a, bit), split(b, bit));
            let left = merge(a_left, b_left, alone, both);
            let right = merge(a_right, b_right, alone, both);
            Merged::equal_to(left.is_left() && right.is_left(), left.is_right() && right.is_right(), || {
                join(bit, left.tree(a_left, b_left), right.tree(a_right, b_right))
            })
        }
    }
}

/// Of a tree and nothing: one of the two remains. `a` is the tree, or nothing if the tree is on the right.
fn merge_alone<V>(a: Part<V>, alone: Alone) -> Merged<V> {
    match (alone, a) {
        (Alone::Keep, Some(_)) | (Alone::Drop, None) => Merged::Left,
        (Alone::Keep, None) | (Alone::Drop, Some(_)) => Merged::Right,
    }
}

fn merge_values<V: PartialEq>(key: u32, a: &V, b: &V, both: &mut impl FnMut(u32, &V, &V) -> Option<V>) -> Merged<V> {
    match both(key, a, b) {
        None => Merged::New(None),
        Some(value) => Merged::equal_to(value == *a, value == *b, || Some(Arc::new(Node::Leaf { key, value }))),
    }
}

pub fn all<V>(a: Part<V>, b: Part<V>, holds: &mut impl FnMut(u32, Option<&V>, Option<&V>) -> bool) -> bool {
    if same(a, b) {
        return true;
    }
    let bit = match (a, b) {
        (Some(a), Some(b)) => top_bit(a, b),
        (Some(only), None) | (None, Some(only)) => only.bit(),
        (None, None) => 0,
    };
    if bit == 0 {
        let (a, b) = (a.and_then(leaf), b.and_then(leaf));
        return a.or(b).is_none_or(|(key, _)| holds(key, a.map(|leaf| leaf.1), b.map(|leaf| leaf.1)));
    }
    let ([a_left, a_right], [b_left, b_right]) = (split_part(a, bit), split_part(b, bit));
    all(a_left, b_left, holds) && all(a_right, b_right, holds)
}

fn leaf<V>(node: &Arc<Node<V>>) -> Option<(u32, &V)> {
    match &**node {
        Node::Leaf { key, value } => Some((*key, value)),
        Node::Branch { .. } => None,
    }
}

/// What of a node lacks `bit` and what has it, where it branches at that bit or below.
fn split<V>(node: &Arc<Node<V>>, bit: u32) -> [Part<'_, V>; 2] {
    match &**node {
        Node::Branch { bit: own, left, right, .. } if *own == bit => [Some(left), Some(right)],
        _ if node.first() & bit == 0 => [Some(node), None],
        _ => [None, Some(node)],
    }
}

fn split_part<V>(part: Part<V>, bit: u32) -> [Part<V>; 2] {
    part.map_or([None, None], |node| split(node, bit))
}

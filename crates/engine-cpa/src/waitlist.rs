//! The waitlist: states that are to be expanded, and which one is next.

use std::collections::{BTreeMap, VecDeque};

use fastrand::Rng;

/// Which state is next, of those of the same rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// The newest.
    Depth,
    /// The oldest.
    Breadth,
    Random,
    /// The newest, but every fourth time any.
    Mixed,
}

/// First by rank, then by order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strategy {
    /// States with fewer active threads come first.
    pub fewest_threads: bool,
    pub order: Order,
}

pub struct Waitlist {
    strategy: Strategy,
    by_rank: BTreeMap<u32, VecDeque<u32>>,
    random: Rng,
    len: usize,
    popped: u64,
}

impl Waitlist {
    pub fn new(strategy: Strategy, seed: u64) -> Waitlist {
        Waitlist { strategy, by_rank: BTreeMap::new(), random: Rng::with_seed(seed), len: 0, popped: 0 }
    }

    pub fn push(&mut self, node: u32, active_threads: u32) {
        let rank = if self.strategy.fewest_threads { active_threads } else { 0 };
        self.by_rank.entry(rank).or_default().push_back(node);
        self.len += 1;
    }

    pub fn pop(&mut self) -> Option<u32> {
        self.popped += 1;
        let mut entry = self.by_rank.first_entry()?;
        let list = entry.get_mut();
        let node = match self.strategy.order {
            Order::Depth => list.pop_back(),
            Order::Breadth => list.pop_front(),
            Order::Random => list.swap_remove_back(self.random.usize(..list.len())),
            Order::Mixed if self.popped.is_multiple_of(4) => list.swap_remove_back(self.random.usize(..list.len())),
            Order::Mixed => list.pop_back(),
        };
        if list.is_empty() {
            entry.remove();
        }
        self.len -= 1;
        node
    }

    pub fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(strategy: Strategy) -> Vec<u32> {
        let mut list = Waitlist::new(strategy, 1);
        for (node, active) in [(0, 2), (1, 1), (2, 2), (3, 1)] {
            list.push(node, active);
        }
        std::iter::from_fn(|| list.pop()).collect()
    }

    #[test]
    fn the_next_one_is_by_rank_then_by_order() {
        use Order::*;
        assert_eq!(order(Strategy { fewest_threads: false, order: Depth }), [3, 2, 1, 0]);
        assert_eq!(order(Strategy { fewest_threads: false, order: Breadth }), [0, 1, 2, 3]);
        assert_eq!(order(Strategy { fewest_threads: true, order: Depth }), [3, 1, 2, 0]);
        assert_eq!(order(Strategy { fewest_threads: true, order: Breadth }), [1, 3, 0, 2]);
        let mut random = order(Strategy { fewest_threads: false, order: Random });
        random.sort_unstable();
        assert_eq!(random, [0, 1, 2, 3]);
    }
}

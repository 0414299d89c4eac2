//! Static facts about a program, from one fixpoint: what values locals and memory may have, where pointers lead, which threads may
//! run together, which locks they hold; and what follows: which accesses are shared, which may race, which steps may move.

pub mod blocks;
pub mod map;
pub mod range;

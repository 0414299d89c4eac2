//! Static facts about a program, from one fixpoint: what values locals and memory may have, where pointers lead, which threads may
//! run together, which locks they hold; and what follows: which accesses are shared, which may race, which steps may move.

mod analysis;
pub mod blocks;
mod candidate;
mod contents;
mod crowd;
mod eval;
mod less;
mod locks;
pub mod map;
mod movers;
mod offsets;
mod race;
pub mod range;
mod report;
mod safety;
mod state;
mod tables;
mod transfer;
mod value;

pub use analysis::{Facts, Stop, analyze, recheck};
pub use candidate::{Candidate, Touch};
pub use movers::Movers;
pub use race::{Contact, Pairs, Sharing};
pub use report::{notes, text};

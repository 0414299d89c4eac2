//! Static facts about a program, from one fixpoint: what values locals and memory may have, where pointers lead, which threads may
//! run together, which locks they hold; and what follows: which accesses are shared, which may race, which steps may move.

pub mod analysis;
pub mod blocks;
pub mod contents;
pub mod eval;
pub mod exposure;
pub mod guard;
mod less;
pub mod locks;
pub mod map;
mod movers;
pub mod offsets;
mod printing;
pub mod protection;
pub mod race;
pub mod range;
pub mod replicas;
mod safety;
pub mod state;
pub mod tables;
mod transfer;
mod undefined;
pub mod value;

pub use analysis::{Facts, Stop, analyze, recheck, recheck_within};
pub use movers::Movers;
pub use protection::{AccessGroup, Protection, SharedObject};
pub use race::{AbstractAccess, Candidate, Pairs, Sharing};
pub use transfer::AT_END;

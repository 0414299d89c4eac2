//! Static facts in words: as a text, beside the source, as the grounds of a proof, as accesses that may race.

mod blocks;
mod grounds;
mod names;
mod notes;
mod parallel;
mod path;
mod races;
mod survey;
mod terms;
mod text;
mod values;

pub use grounds::grounds;
pub use notes::notes;
pub use races::race_alarms;
pub use text::text;

//! Facts in words.

mod blocks;
mod candidates;
mod grounds;
mod names;
mod notes;
mod parallel;
mod path;
mod survey;
mod terms;
mod text;
mod values;

pub use notes::notes;
pub use text::text;

use crate::analysis::Facts;

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "facts about {} nodes", self.solution.states.len())
    }
}

impl Facts {
    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        let states = self.reached().count();
        vec![
            ("states", states as u64),
            ("call strings", self.tables.call_strings.len() as u64),
            ("abstract threads", self.tables.abstract_threads.len() as u64),
            ("shared objects", self.solution.shared.len() as u64),
        ]
    }
}

//! Checks facts without knowing how they were found: one round of the same transfer in which nothing may grow. Facts are right if they
//! are a post-fixpoint.

use base::{Alarm, Idx};
use program::Program;

use super::{Analysis, Facts};
use crate::tables::AbstractThread;

/// Are these facts right? Looks at every node once: what its edges make of it must be contained in the facts already. How the facts were
/// found does not matter.
pub fn recheck(program: &Program, facts: &Facts) -> Result<(), String> {
    recheck_within(program, facts, &Alarm::default())
}

/// The same; if the alarm strikes, they are not confirmed.
pub fn recheck_within(program: &Program, facts: &Facts, alarm: &Alarm) -> Result<(), String> {
    let mut analysis = Analysis::new(program, &facts.marks);
    analysis.tables = facts.tables.clone();
    analysis.solution = facts.solution.clone();
    analysis.frozen = true;
    analysis.begin();
    for node in 0..analysis.solution.states.len() as u32 {
        if alarm.struck().is_some() {
            return Err("the facts are not looked at to the end".to_owned());
        }
        analysis.look_at(node);
    }
    for abstract_thread in 0..analysis.solution.abstract_threads.len() {
        analysis.finish(AbstractThread::from_usize(abstract_thread));
    }
    analysis.check_guards();
    match analysis.violated.or(analysis.again.map(|_| "the facts are not complete".to_owned())) {
        Some(violated) => Err(violated),
        None => Ok(()),
    }
}

impl<'p> Analysis<'p> {
    /// Nothing may change.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Something would change that must not.
    pub fn objects(&mut self, message: impl FnOnce() -> String) -> bool {
        if self.frozen {
            self.violated.get_or_insert_with(message);
        }
        self.frozen
    }
}

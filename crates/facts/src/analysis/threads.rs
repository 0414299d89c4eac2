//! What is known of abstract threads: arguments, results, how they end, who may be alive when they begin.

use std::sync::Arc;

use base::Idx;

use super::solution::AbstractThreadFacts;
use super::widening::SHARED_PATIENCE;
use super::{Analysis, Source};
use crate::state::ThreadState;
use crate::tables::AbstractThread;
use crate::transfer;
use crate::value::Value;

impl<'p> Analysis<'p> {
    /// What is known of an abstract thread. The node depends on it.
    pub fn abstract_thread(&mut self, abstract_thread: AbstractThread) -> AbstractThreadFacts {
        self.grow();
        self.depend(Source::AbstractThread(abstract_thread));
        self.solution.abstract_threads[abstract_thread.index()].clone()
    }

    /// More is known of an abstract thread. True if that is new.
    pub fn update_abstract_thread(
        &mut self,
        abstract_thread: AbstractThread,
        change: impl FnOnce(&mut AbstractThreadFacts),
    ) -> bool {
        self.grow();
        let old = self.solution.abstract_threads[abstract_thread.index()].clone();
        let mut new = old.clone();
        change(&mut new);
        if new == old {
            return false;
        }
        if self.objects(|| format!("facts about abstract thread {abstract_thread} are missing")) {
            return false;
        }
        new.updates += 1;
        if new.updates > SHARED_PATIENCE {
            new.argument = old.argument.widen(&new.argument, &self.thresholds);
            new.result = old.result.widen(&new.result, &self.thresholds);
        }
        self.solution.abstract_threads[abstract_thread.index()] = new;
        self.wake(Source::AbstractThread(abstract_thread));
        true
    }

    /// A thread of the abstract thread is about to end.
    pub fn end(&mut self, abstract_thread: AbstractThread, state: ThreadState) {
        let old = self.solution.abstract_threads[abstract_thread.index()].end.clone();
        let (old, state) = self.with_same_privatised(self.tables.abstract_threads[abstract_thread].root, old, state);
        let state = match &old {
            None => state,
            Some(old) if state.leq(old, &self.tables, self.program) => ThreadState::clone(old),
            Some(old) => old.widen(&state, &self.tables, self.program, &self.thresholds),
        };
        if self.update_abstract_thread(abstract_thread, |facts| facts.end = Some(Arc::new(state))) {
            self.finish(abstract_thread);
        }
    }

    pub(super) fn finish(&mut self, abstract_thread: AbstractThread) {
        if let Some(state) = self.solution.abstract_threads[abstract_thread.index()].end.clone() {
            transfer::finish_thread(self, abstract_thread, &state);
        }
    }

    pub fn add_destructor(&mut self, value: &Value) {
        let value = Value { term: None, ..value.clone() };
        if value.leq(&self.solution.destructors) || self.objects(|| "a destructor is missing".to_owned()) {
            return;
        }
        self.solution.destructors = self.solution.destructors.join(&value);
        self.wake(Source::Destructors);
        for abstract_thread in 0..self.solution.abstract_threads.len() {
            self.finish(AbstractThread::from_usize(abstract_thread));
        }
    }
}

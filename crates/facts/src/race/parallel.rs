//! May happen in parallel: by creation and join of abstract threads.

use base::Idx;

use super::AbstractAccess;
use crate::analysis::Facts;
use crate::state::{ThreadState, contains_line};
use crate::tables::AbstractThread;

impl Facts {
    /// May several threads of the abstract thread run at once?
    pub fn is_many(&self, abstract_thread: AbstractThread) -> bool {
        self.solution.abstract_threads[abstract_thread.index()].many
    }

    /// May both be next in some state?
    pub fn may_be_parallel(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        if a.abstract_thread == b.abstract_thread {
            return self.is_many(a.abstract_thread);
        }
        if self.has_ended(&a.state, b.abstract_thread) || self.has_ended(&b.state, a.abstract_thread) {
            return false;
        }
        let tables = &self.tables;
        let (of_a, of_b) = (tables.ancestors(a.abstract_thread), tables.ancestors(b.abstract_thread));
        if of_a.iter().chain(&of_b).any(|abstract_thread| tables.is_recursive_thread(*abstract_thread)) {
            return true;
        }
        // Ancestors come youngest first: the first common one created both, directly or not.
        let Some(common) = of_a.iter().position(|abstract_thread| of_b.contains(abstract_thread)) else { return true };
        let ancestor = of_a[common];
        if self.is_many(ancestor) {
            return true;
        }
        if ancestor == a.abstract_thread {
            return a.state.may_be_alive(tables, b.abstract_thread);
        }
        if ancestor == b.abstract_thread {
            return b.state.may_be_alive(tables, a.abstract_thread);
        }
        let other = of_b.iter().position(|abstract_thread| *abstract_thread == ancestor).expect("it is common");
        let (to_a, to_b) = (of_a[common - 1], of_b[other - 1]);
        let alive = |child: AbstractThread, abstract_thread: AbstractThread| {
            let before = &self.solution.abstract_threads[child.index()].alive_before;
            contains_line(tables, before, abstract_thread)
        };
        alive(to_a, b.abstract_thread) || alive(to_b, a.abstract_thread)
    }

    /// Does this state know that all threads of the abstract thread have ended?
    fn has_ended(&self, state: &ThreadState, abstract_thread: AbstractThread) -> bool {
        self.tables.ancestors(abstract_thread).iter().any(|ancestor| {
            let ended = state.ended.get(ancestor.0).is_some();
            let end = &self.solution.abstract_threads[ancestor.index()].end;
            ended
                && (*ancestor == abstract_thread
                    || end.as_ref().is_some_and(|end| !end.may_be_alive(&self.tables, abstract_thread)))
        })
    }
}

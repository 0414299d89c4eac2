//! States are stored with their threads in an order that depends little on names, see [`crate::symmetry`].

use std::rc::Rc;

use facts::Facts;

use super::{Key, State, System};
use crate::analysis::Analysis;
use crate::symmetry::{Order, Portraits};

impl<D: Analysis> System<'_, D> {
    /// From now on threads are renamed, and handles are forgotten that nobody reads by the facts. Not where an automaton follows
    /// the steps: it may look at handles.
    pub fn rename_threads(&mut self, facts: Option<&Facts>) {
        self.symmetry = true;
        if let Some(facts) = facts {
            self.both.forget_handles(Rc::new(por::unread_handles(self.program, facts)));
        }
    }

    pub fn renames_threads(&self) -> bool {
        self.symmetry
    }

    /// The key of a state, which gets other names; those of threads, if they changed.
    pub fn store(&mut self, state: &mut State<D>) -> (Key<D>, Option<Order>) {
        let order = if self.symmetry { self.order(state) } else { None };
        if let Some(order) = &order {
            self.both.reorder(state, order);
        }
        (self.both.store(state), order)
    }

    fn order(&self, state: &State<D>) -> Option<Order> {
        let threads = self.threads();
        if !threads.may_be_symmetric(&state.0) {
            return None;
        }
        let mut portraits = Portraits::new(threads.threads(&state.0));
        self.both.portray(state, &mut portraits).then(|| portraits.order()).flatten()
    }
}

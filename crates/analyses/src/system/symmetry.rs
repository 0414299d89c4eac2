//! States are stored with their threads in an order that depends little on names, see [`crate::symmetry`].

use std::rc::Rc;

use facts::Facts;

use super::{Key, System, SystemState};
use crate::analysis::{Analysis, Naming, States};
use crate::symmetry::{Order, Signatures};

impl<D: Analysis> System<'_, D> {
    /// From now on threads are renamed, and handles are forgotten that no thread reads by the facts. Not where an automaton follows
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

    /// May threads of this state get other names when it is stored?
    pub fn may_rename(&self, state: &SystemState<D>) -> bool {
        self.symmetry && self.threads().may_be_symmetric(&state.0)
    }

    /// The key of a state, which gets other names; those of threads, if they changed.
    pub fn store(&mut self, state: &mut SystemState<D>) -> (Key<D>, Option<Order>) {
        let order = if self.may_rename(state) { self.order(state) } else { None };
        if let Some(order) = &order {
            self.both.reorder(state, order);
        }
        (self.both.store(state), order)
    }

    fn order(&self, state: &SystemState<D>) -> Option<Order> {
        let mut signatures = Signatures::new(self.threads().threads(&state.0));
        if !self.both.sign(state, &mut signatures) {
            return None;
        }
        if signatures.has_ties() {
            self.both.refine_signatures(state, &mut signatures);
        }
        signatures.order()
    }
}

//! States at a node, partitioned by locks and truth values: states that hold different locks, or differ in a flag that was just computed,
//! are not joined (trace partitioning: Rival and Mauborgne, TOPLAS 2007).

use std::sync::Arc;

use base::Idx;
use smallvec::SmallVec;

use super::Analysis;
use super::widening::PATIENCE;
use crate::locks::{Condition, LockName, Mode};
use crate::state::ThreadState;
use crate::tables::CallString;
use crate::transfer;

/// What tells states at one node apart.
#[derive(PartialEq)]
struct Key {
    locks: SmallVec<[(LockName, Mode, Option<Condition>); 2]>,
    truths: SmallVec<[(u32, bool); 4]>,
}

/// More states at one node are put together.
const MOST_STATES: usize = 6;

impl<'p> Analysis<'p> {
    /// A state reaches a node.
    pub fn flow(&mut self, call_string: CallString, location: program::Location, mut state: ThreadState) {
        self.grow();
        let node = self.tables.node(call_string, location, state.phase);
        let index = node as usize;
        let old = &self.solution.states[index];
        let key = self.key(call_string, &state);
        let slot = match old.iter().position(|old| self.key(call_string, old) == key) {
            Some(slot) => slot,
            None if old.len() < MOST_STATES => old.len(),
            None => old.len() - 1,
        };
        if !self.frozen
            && let Some(old) = self.solution.states[index].get(slot).cloned()
            && old.privatised != state.privatised
        {
            let before = old.privatised.clone();
            let (old, less) = self.with_same_privatised(call_string, Some(old), state);
            state = less;
            let old = old.expect("there is one");
            // If only the new one gave something back, all is as before: an edge from the node to itself would never rest else.
            if old.privatised != before {
                self.solution.states[index][slot] = old;
                self.enqueue(node);
            }
        }
        let old = &self.solution.states[index];
        let within = |old: &Arc<ThreadState>| state.leq(old, &self.tables, self.program);
        if old.get(slot).is_some_and(within) || self.frozen && self.is_contained(call_string, index, &state) {
            return;
        }
        if self.objects(|| format!("a state at {call_string} {location} is missing")) {
            return;
        }
        let new = match self.solution.states[index].get(slot) {
            None => state,
            Some(old) if self.is_head(call_string, location) && self.visits[index] >= PATIENCE => {
                old.widen(&state, &self.tables, self.program, self.resting_places(self.visits[index]))
            }
            Some(old) => old.join(&state, &self.tables, self.program),
        };
        self.visits[index] += 1;
        let states = &mut self.solution.states[index];
        if slot == states.len() {
            states.push(Arc::new(new));
        } else {
            states[slot] = Arc::new(new);
        }
        self.enqueue(node);
    }

    /// Is the state one of those of the node, perhaps when it has given back what that has not?
    fn is_contained(&mut self, call_string: CallString, node: usize, state: &ThreadState) -> bool {
        let before = self.violated.take();
        let found = self.solution.states[node].clone().iter().any(|old| {
            let common = old.privatised.intersect(&state.privatised, |_, (), ()| Some(()));
            self.violated = None;
            let less = transfer::give_back(self, call_string, state.clone(), &common);
            self.violated.is_none() && less.leq(old, &self.tables, self.program)
        });
        self.violated = before;
        found
    }

    /// What only one of two states has privatised is given back.
    pub(super) fn with_same_privatised(
        &mut self,
        call_string: CallString,
        old: Option<Arc<ThreadState>>,
        state: ThreadState,
    ) -> (Option<Arc<ThreadState>>, ThreadState) {
        let Some(mut old) = old else { return (None, state) };
        let mut state = state;
        // What is given back takes with it what it leads to.
        while old.privatised != state.privatised {
            let common = old.privatised.intersect(&state.privatised, |_, (), ()| Some(()));
            state = transfer::give_back(self, call_string, state, &common);
            old = Arc::new(transfer::give_back(self, call_string, ThreadState::clone(&old), &common));
        }
        (Some(old), state)
    }

    /// States that differ in these are kept apart: locks, and truth values that the frame has just got or was called with.
    fn key(&self, call_string: CallString, state: &ThreadState) -> Key {
        let info = &self.tables.call_strings[call_string];
        let function = &self.program.functions[info.function];
        let mut truths = SmallVec::new();
        for (variable, value) in state.variables.iter_range(self.tables.variables_of(self.program, call_string)) {
            let local = program::LocalId(variable - info.first_variable);
            let counts = function.locals[local].kind != program::LocalKind::Named
                || self.tables.shapes[info.function].results[base::Idx::index(local)];
            if counts && let Some(bits @ 0..=1) = value.as_constant() {
                truths.push((variable, bits == 1));
            }
        }
        Key { locks: state.locks.iter().map(|lock| (lock.name, lock.mode, lock.condition)).collect(), truths }
    }

    /// A call string ends with this state.
    pub fn exit(&mut self, call_string: CallString, state: ThreadState) {
        self.grow();
        let index = state.phase as usize;
        let old = self.solution.exits[call_string.index()][index].clone();
        let (old, state) = self.with_same_privatised(call_string, old, state);
        let new = match &old {
            None => state,
            Some(old) if state.leq(old, &self.tables, self.program) => ThreadState::clone(old),
            Some(old) if self.returns[call_string.index()] >= PATIENCE => {
                old.widen(&state, &self.tables, self.program, &self.thresholds)
            }
            Some(old) => old.join(&state, &self.tables, self.program),
        };
        if self.solution.exits[call_string.index()][index].as_deref() == Some(&new)
            || self.objects(|| format!("an end of {call_string} is missing"))
        {
            return;
        }
        let info = &self.tables.call_strings[call_string];
        self.returns[call_string.index()] += u32::from(info.recursive || self.tables.merged);
        self.solution.exits[call_string.index()][index] = Some(Arc::new(new));
    }

    /// True if the caller is new.
    pub fn add_caller(&mut self, call_string: CallString, caller: (CallString, program::EdgeId)) -> bool {
        self.grow();
        if self.solution.callers[call_string.index()].contains(&caller) {
            return false;
        }
        if self.objects(|| format!("a caller of {call_string} is missing")) {
            return false;
        }
        self.solution.callers[call_string.index()].insert(caller)
    }
}

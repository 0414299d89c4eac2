//! The part of control in symmetry signatures, see [`crate::symmetry`].

use program::FunctionId;
use semantics::{Base, LockKey};
use smallvec::SmallVec;

use super::{ControlState, Threads};
use crate::symmetry::{Order, Signatures, summary};

/// A status whose number depends on names.
const NAMED: u32 = u32::MAX;

impl Threads<'_> {
    /// May some threads be alike, or one be dropped? Quick, and true too often.
    pub fn may_be_symmetric(&self, state: &ControlState) -> bool {
        let mut entries: SmallVec<[FunctionId; 8]> = SmallVec::new();
        (1..state.threads.len() as u32).any(|thread| match self.frames(state, thread).last() {
            Some((entry, _)) if entries.contains(&entry) => true,
            Some((entry, _)) => {
                entries.push(entry);
                false
            }
            None => true,
        })
    }

    pub(super) fn sign_threads(&self, state: &ControlState, signatures: &mut Signatures) {
        for (thread, place) in (0..).zip(&state.threads) {
            let status = self.status(state, thread);
            let is_named = status.lock_keys().any(|key| self.has_name(&key));
            let number = if is_named { NAMED } else { place.status.0 };
            signatures.place(thread, [place.stack.0, place.location.0, number], self.is_finished(state, thread));
            if is_named {
                let sleeping = status.sleeping.map(|(key, woken)| (self.key_summary(&key), woken));
                let at_barrier = status.at_barrier.map(|(key, last)| (self.key_summary(&key), last));
                signatures.add(thread, summary((status.life, status.joined, status.detached, sleeping, at_barrier)));
            }
        }
        for (key, lock) in state.locks.iter() {
            for (thread, alone) in lock.holders() {
                signatures.mention(thread.0, None, summary((self.key_summary(key), alone)));
            }
            if let Base::Thread(thread) = key.at.base {
                signatures.mention(thread.0, None, summary(key.kind));
            }
        }
        if let Some(thread) = state.atomic {
            signatures.mention(thread, None, 0);
        }
    }

    pub(super) fn reorder_threads(&mut self, state: &mut ControlState, order: &Order) {
        state.threads = order.old().iter().map(|old| state.threads[*old as usize]).collect();
        if !order.renames() {
            return;
        }
        state.atomic = state.atomic.map(|thread| order.thread(thread));
        let name = |key: &LockKey| LockKey { kind: key.kind, at: order.pointer(key.at) };
        let is_renamed = |key: &LockKey| name(key) != *key;
        let holds = |lock: &semantics::Lock| lock.holders().any(|(thread, _)| order.thread_id(thread) != thread);
        if state.locks.iter().any(|(key, lock)| is_renamed(key) || holds(lock)) {
            let locks = state.locks.edit();
            locks.rename_holders(|lock| lock.renamed(|thread| order.thread_id(thread)));
            locks.rename(name);
        }
        for thread in 0..state.threads.len() as u32 {
            if self.status(state, thread).lock_keys().any(|key| is_renamed(&key)) {
                self.change(state, thread, |status| status.rename(name));
            }
        }
    }

    /// Is a lock known by the name of an object or a thread?
    fn has_name(&self, key: &LockKey) -> bool {
        match key.at.base {
            Base::Object(id) => id.0 != u32::MAX && id.0 as usize >= self.program.globals.len(),
            Base::Thread(_) => true,
            Base::Function(_) => false,
        }
    }

    fn key_summary(&self, key: &LockKey) -> u64 {
        match self.has_name(key) {
            true => summary((key.kind, key.at.offset)),
            false => summary(key),
        }
    }
}

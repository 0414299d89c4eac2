//! What there is to know of a thread besides its stack.

use program::FunctionId;
use semantics::LockKey;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StatusId(pub u32);

pub type Life = semantics::ThreadLife;

/// As in [`semantics::Thread`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Status {
    pub life: Life,
    pub detached: bool,
    pub joined: bool,
    /// Nesting of atomic sections.
    pub atomic: u32,
    /// Waiting for a signal of this condition variable, or woken from it.
    pub sleeping: Option<(LockKey, bool)>,
    /// At a barrier: released, and whether it came last.
    pub at_barrier: Option<(LockKey, Option<bool>)>,
    /// Clean-up handlers, the newest last.
    pub cleanup: Vec<FunctionId>,
    /// Frames that `pthread_exit` left: nothing runs in them any more.
    pub left: u32,
    /// Destructors run by rounds over the keys: the round, and the key that is next in it.
    pub round: (u32, u32),
}

impl Default for Status {
    fn default() -> Self {
        Status {
            life: Life::Running,
            detached: false,
            joined: false,
            atomic: 0,
            sleeping: None,
            at_barrier: None,
            cleanup: Vec::new(),
            left: 0,
            round: (0, 0),
        }
    }
}

impl Status {
    /// The condition variable and the barrier that the thread is at.
    pub fn lock_keys(&self) -> impl Iterator<Item = LockKey> + use<> {
        let condition = self.sleeping.map(|(key, _)| key);
        condition.into_iter().chain(self.at_barrier.map(|(key, _)| key))
    }

    pub(super) fn rename(&mut self, new: impl Fn(&LockKey) -> LockKey) {
        self.sleeping = self.sleeping.map(|(key, woken)| (new(&key), woken));
        self.at_barrier = self.at_barrier.map(|(key, last)| (new(&key), last));
    }
}

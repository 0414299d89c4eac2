//! Locks by address, and keys of thread-specific values.

use program::FunctionId;
use semantics::{Lock, LockKey};

/// The locks that differ from new ones, in order of their keys.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Locks(Vec<(LockKey, Lock)>);

impl Locks {
    pub fn iter(&self) -> std::slice::Iter<'_, (LockKey, Lock)> {
        self.0.iter()
    }

    pub fn get(&self, key: LockKey) -> Option<&Lock> {
        self.find(key).ok().map(|i| &self.0[i].1)
    }

    pub(super) fn set(&mut self, key: LockKey, lock: Option<Lock>) {
        match (self.find(key), lock) {
            (Ok(i), Some(lock)) => self.0[i].1 = lock,
            (Ok(i), None) => drop(self.0.remove(i)),
            (Err(i), Some(lock)) => self.0.insert(i, (key, lock)),
            (Err(_), None) => {}
        }
    }

    pub(super) fn forget(&mut self, is_gone: impl Fn(&LockKey) -> bool) {
        self.0.retain(|(key, _)| !is_gone(key));
    }

    pub(super) fn rename(&mut self, new: impl Fn(&LockKey) -> LockKey) {
        self.0.iter_mut().for_each(|(key, _)| *key = new(key));
        self.0.sort_unstable_by_key(|(key, _)| *key);
    }

    pub(super) fn rename_holders(&mut self, new: impl Fn(&Lock) -> Lock) {
        self.0.iter_mut().for_each(|(_, lock)| *lock = new(lock));
    }

    fn find(&self, key: LockKey) -> Result<usize, usize> {
        self.0.binary_search_by_key(&key, |(key, _)| *key)
    }
}

/// All keys that were made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Keys(pub(super) Vec<Option<Option<FunctionId>>>);

impl Keys {
    /// For each key its destructor, if it has one; `None` for deleted keys.
    pub fn iter(&self) -> std::slice::Iter<'_, Option<Option<FunctionId>>> {
        self.0.iter()
    }

    /// Made and not deleted.
    pub fn is_valid(&self, key: u32) -> bool {
        matches!(self.0.get(key as usize), Some(Some(_)))
    }
}

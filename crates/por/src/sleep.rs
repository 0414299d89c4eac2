//! Sleep sets: threads whose next step has been taken before in an order that leads to the same states.

use crate::View;
use crate::depend::dependent;

/// Bit i is thread i; threads beyond 63 never sleep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Sleep(u64);

const MOST: usize = 64;

impl Sleep {
    pub fn contains(self, thread: usize) -> bool {
        thread < MOST && self.0 >> thread & 1 == 1
    }

    pub fn insert(&mut self, thread: usize) {
        if thread < MOST {
            self.0 |= 1 << thread;
        }
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_subset(self, other: Sleep) -> bool {
        self.0 & !other.0 == 0
    }

    pub fn intersection(self, other: Sleep) -> Sleep {
        Sleep(self.0 & other.0)
    }

    pub fn without(self, other: Sleep) -> Sleep {
        Sleep(self.0 & !other.0)
    }

    pub fn remove(&mut self, thread: usize) {
        if thread < MOST {
            self.0 &= !(1 << thread);
        }
    }

    /// The same threads by other names, given by old ones; who has none does not sleep.
    pub fn renamed(self, old: &[u32]) -> Sleep {
        let mut renamed = Sleep::default();
        let sleeps = |old: u32| self.contains(old as usize);
        old.iter().enumerate().filter(|(_, old)| sleeps(**old)).for_each(|(new, _)| renamed.insert(new));
        renamed
    }

    /// Who sleeps after a step of `step_of`: those that slept or were chosen earlier, and whose next step does not depend on it.
    pub fn after(self, views: &[View], chosen_earlier: &[usize], step_of: usize) -> Sleep {
        let mut slept = self;
        chosen_earlier.iter().for_each(|thread| slept.insert(*thread));
        let mut after = Sleep::default();
        for thread in (0..views.len().min(MOST)).filter(|thread| slept.contains(*thread) && *thread != step_of) {
            if !dependent(&views[thread].action, &views[step_of].action) {
                after.insert(thread);
            }
        }
        after
    }
}

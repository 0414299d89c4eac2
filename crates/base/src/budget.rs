//! How long and how much a piece of work may take. Limits are soft: the work asks from time to time and then stops in good order.

use std::cell::Cell;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Limit {
    Time,
    Memory,
}

/// How many times `exhausted` answers between two looks at memory.
const PATIENCE: u32 = 64;

#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<Memory>,
}

#[derive(Clone, Debug)]
struct Memory {
    limit: u64,
    /// Bytes in use now.
    used: fn() -> u64,
    asked: Cell<u32>,
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget { start: Instant::now(), deadline: None, memory: None }
    }

    pub fn with_time(mut self, limit: Duration) -> Self {
        self.deadline = self.start.checked_add(limit);
        self
    }

    /// `used` tells how many bytes are in use: this crate looks at no files.
    pub fn with_memory(mut self, limit: u64, used: fn() -> u64) -> Self {
        self.memory = Some(Memory { limit, used, asked: Cell::new(0) });
        self
    }

    /// From now on, a quarter of the time that is left.
    pub fn quarter(&self) -> Budget {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 4);
        Budget { start: now, deadline, memory: self.memory.clone() }
    }

    /// The limit that is reached, if one is.
    pub fn exhausted(&self) -> Option<Limit> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Limit::Time);
        }
        let memory = self.memory.as_ref()?;
        let asked = memory.asked.get();
        memory.asked.set((asked + 1) % PATIENCE);
        (asked == 0 && (memory.used)() > memory.limit).then_some(Limit::Memory)
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The share of the time that is used up, if there is a limit.
    pub fn progress(&self) -> Option<f64> {
        let total = self.deadline?.duration_since(self.start).as_secs_f64();
        Some((self.elapsed().as_secs_f64() / total.max(1e-9)).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_what_is_left() {
        let hour = Duration::from_secs(3600);
        let part = Budget::unlimited().with_time(hour).quarter();
        let left = part.deadline.map(|deadline| deadline - part.start);
        assert!(left.is_some_and(|left| left <= hour / 4 && left > hour / 5));
        assert_eq!(Budget::unlimited().with_time(Duration::ZERO).quarter().exhausted(), Some(Limit::Time));
        assert_eq!(Budget::unlimited().quarter().exhausted(), None);
    }
}

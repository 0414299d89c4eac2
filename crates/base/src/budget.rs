//! How long and how much a piece of work may take. Limits are soft: the work asks from time to time and then stops in good order.

use std::cell::Cell;
use std::rc::Rc;
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

    /// With more time than it has.
    pub fn with_more(mut self, time: Duration) -> Self {
        self.deadline = self.deadline.and_then(|deadline| deadline.checked_add(time));
        self
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

/// A budget for inner loops, which may ask all the time. Copies are one: when a limit is reached, it is for all of them and
/// stays so.
#[derive(Clone, Debug, Default)]
pub struct Alarm(Option<Rc<Inner>>);

#[derive(Debug)]
struct Inner {
    budget: Budget,
    looked: Cell<Option<Instant>>,
    struck: Cell<Option<Limit>>,
}

/// The budget is asked so often.
const LOOK: Duration = Duration::from_millis(10);

impl Alarm {
    pub fn new(budget: &Budget) -> Alarm {
        let is_limited = budget.deadline.is_some() || budget.memory.is_some();
        let inner = || Inner { budget: budget.clone(), looked: Cell::new(None), struck: Cell::new(None) };
        Alarm(is_limited.then(|| Rc::new(inner())))
    }

    /// The limit that is reached, if one is.
    pub fn struck(&self) -> Option<Limit> {
        let inner = self.0.as_ref()?;
        if inner.struck.get().is_none() {
            let now = Instant::now();
            if inner.looked.get().is_none_or(|looked| now.duration_since(looked) >= LOOK) {
                inner.looked.set(Some(now));
                inner.struck.set(inner.budget.exhausted());
            }
        }
        inner.struck.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_strikes_for_all_its_copies() {
        let none = Alarm::new(&Budget::unlimited());
        assert_eq!((none.struck(), Alarm::default().struck()), (None, None));
        let alarm = Alarm::new(&Budget::unlimited().with_time(Duration::ZERO));
        let copy = alarm.clone();
        assert_eq!((alarm.struck(), copy.struck()), (Some(Limit::Time), Some(Limit::Time)));
        let hour = Budget::unlimited().with_time(Duration::ZERO).with_more(Duration::from_secs(3600));
        assert_eq!(Alarm::new(&hour).struck(), None);
    }

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

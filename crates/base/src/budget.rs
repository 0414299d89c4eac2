//! How long and how much a piece of work may take. Limits are soft: the work asks from time to time and then stops in good order. It
//! can also be cancelled, by any thread.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Limit {
    Time,
    Memory,
    /// The result is not needed any more, see [`Budget::cancel`].
    Cancelled,
}

/// How many times `exhausted` answers between two looks at memory.
const PATIENCE: u32 = 64;

/// Copies share being cancelled.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<Memory>,
    cancelled: Arc<Flag>,
}

#[derive(Debug)]
struct Memory {
    limit: u64,
    /// Bytes in use now.
    used: fn() -> u64,
    asked: AtomicU32,
}

impl Memory {
    fn exceeded(&self) -> Option<Limit> {
        ((self.used)() > self.limit).then_some(Limit::Memory)
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory { asked: AtomicU32::new(self.asked.load(Ordering::Relaxed)), ..*self }
    }
}

#[derive(Debug, Default)]
struct Flag {
    is_set: AtomicBool,
    /// The flag of the budget that this one is a part of.
    whole: Option<Arc<Flag>>,
}

impl Flag {
    fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed) || self.whole.as_ref().is_some_and(|whole| whole.is_set())
    }
}

impl Budget {
    pub fn unlimited() -> Self {
        Budget { start: Instant::now(), deadline: None, memory: None, cancelled: Arc::default() }
    }

    pub fn with_time(mut self, limit: Duration) -> Self {
        self.deadline = self.start.checked_add(limit);
        self
    }

    /// `used` tells how many bytes are in use: this crate looks at no files.
    pub fn with_memory(mut self, limit: u64, used: fn() -> u64) -> Self {
        self.memory = Some(Memory { limit, used, asked: AtomicU32::new(0) });
        self
    }

    /// From now on, a quarter of the time that is left.
    pub fn quarter(&self) -> Budget {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 4);
        Budget { start: now, deadline, ..self.clone() }
    }

    /// The same limits for a part of the work. Cancelling it leaves the rest alone; cancelling the whole cancels it, too.
    ///
    /// ```
    /// use base::{Budget, Limit};
    ///
    /// let whole = Budget::unlimited();
    /// let part = whole.part();
    /// std::thread::scope(|threads| {
    ///     threads.spawn(|| part.cancel());
    /// });
    /// assert_eq!((whole.exhausted(), part.exhausted()), (None, Some(Limit::Cancelled)));
    /// ```
    pub fn part(&self) -> Budget {
        let flag = Flag { is_set: AtomicBool::new(false), whole: Some(self.cancelled.clone()) };
        Budget { cancelled: Arc::new(flag), ..self.clone() }
    }

    /// All work with this budget, a copy, or a part is to stop, on all threads.
    pub fn cancel(&self) {
        self.cancelled.is_set.store(true, Ordering::Relaxed);
    }

    /// The limit that is reached, if one is.
    pub fn exhausted(&self) -> Option<Limit> {
        self.time_is_up().or_else(|| {
            let memory = self.memory.as_ref()?;
            let is_due = memory.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(PATIENCE);
            is_due.then(|| memory.exceeded()).flatten()
        })
    }

    fn time_is_up(&self) -> Option<Limit> {
        if self.cancelled.is_set() {
            return Some(Limit::Cancelled);
        }
        self.deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Limit::Time)
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
pub struct Alarm(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    budget: Budget,
    created: Instant,
    /// The budget is asked again when the alarm is that many nanoseconds old.
    due: AtomicU64,
    struck: OnceLock<Limit>,
}

/// The budget is asked so often.
const LOOK: Duration = Duration::from_millis(10);

impl Alarm {
    pub fn new(budget: &Budget) -> Alarm {
        let (due, struck) = (AtomicU64::new(0), OnceLock::new());
        Alarm(Some(Arc::new(Inner { budget: budget.clone(), created: Instant::now(), due, struck })))
    }

    /// The limit that is reached, if one is.
    pub fn struck(&self) -> Option<Limit> {
        let inner = self.0.as_ref()?;
        let ask = || inner.ask().map(|limit| *inner.struck.get_or_init(|| limit));
        inner.struck.get().copied().or_else(ask)
    }
}

impl Inner {
    fn ask(&self) -> Option<Limit> {
        let age = self.created.elapsed().as_nanos() as u64;
        if age < self.due.load(Ordering::Relaxed) {
            return None;
        }
        self.due.store(age + LOOK.as_nanos() as u64, Ordering::Relaxed);
        let memory = || self.budget.memory.as_ref()?.exceeded();
        self.budget.time_is_up().or_else(memory)
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

    #[test]
    fn budgets_and_alarms_can_be_shared_between_threads() {
        fn is_shareable<T: Send + Sync>() {}
        is_shareable::<Budget>();
        is_shareable::<Alarm>();
    }

    #[test]
    fn copies_are_cancelled_together_and_parts_alone() {
        let hour = Budget::unlimited().with_time(Duration::from_secs(3600));
        let part = hour.part();
        let alarm = Alarm::new(&part);
        assert_eq!(alarm.struck(), None);
        let copies = [part.clone(), part.quarter(), part.clone().with_more(Duration::ZERO), part.part()];
        std::thread::scope(|threads| {
            threads.spawn(|| part.cancel());
        });
        assert!(copies.iter().all(|copy| copy.exhausted() == Some(Limit::Cancelled)));
        assert_eq!(hour.exhausted(), None);
        std::thread::sleep(LOOK);
        assert_eq!(alarm.struck(), Some(Limit::Cancelled));
    }
}

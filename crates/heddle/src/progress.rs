//! One line on a terminal that says how far long work is. Never in a pipe.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use verify::Observer;

/// Often enough to see that it lives.
const EVERY: Duration = Duration::from_millis(200);

pub struct Progress {
    shown: bool,
    /// What is checked.
    goal: String,
    start: Instant,
    limit: Duration,
    last: Option<Instant>,
}

impl Progress {
    /// `start` is when the tool began, `limit` how long it may take.
    pub fn new(goal: String, quiet: bool, start: Instant, limit: Duration) -> Self {
        Progress { shown: !quiet && io::stderr().is_terminal(), goal, start, limit, last: None }
    }
}

impl Observer for Progress {
    fn progress(&mut self, what: &'static str, count: u64) {
        let now = Instant::now();
        let since = now - self.last.unwrap_or(self.start);
        if self.shown && since >= EVERY {
            let (spent, limit) = (self.start.elapsed().as_secs(), self.limit.as_secs());
            let _ = write!(io::stderr(), "\r\x1b[K{}: {count} {what}, {spent} of {limit} s", self.goal);
            self.last = Some(now);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.last.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

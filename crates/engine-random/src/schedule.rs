//! Schedulers: uniform, with few context switches, and by priorities (PCT: Burckhardt et al., ASPLOS 2010).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fastrand::Rng;
use program::EdgeId;
use semantics::{State, ThreadId, ThreadLife};

/// A strategy, drawn anew for each run.
pub enum Schedule {
    /// Any thread, each time.
    Uniform,
    /// The thread that ran last goes on, with few exceptions: one step in `rarely` switches.
    Sticky {
        last: Option<ThreadId>,
        rarely: u32,
    },
    Priorities(Priorities),
}

/// The thread of the highest priority runs; at a few random steps it falls below all others.
pub struct Priorities {
    of: Vec<u64>,
    /// Highest first.
    order: BTreeSet<(Reverse<u64>, ThreadId)>,
    changes: Vec<u64>,
    step: u64,
    streak: (ThreadId, u32),
    /// Threads suggested for this step.
    suggested: usize,
}

/// A thread that runs alone for so long may be waiting in a loop for another: it falls back.
const PATIENCE: u32 = 2000;

impl Schedule {
    /// `length` is how long runs were so far.
    pub fn of_run(run: u64, length: u64, rng: &mut Rng) -> Schedule {
        match run % 4 {
            0 => Schedule::Uniform,
            1 => Schedule::Sticky { last: None, rarely: [2, 4, 10, 40][rng.usize(0..4)] },
            _ => {
                let depth = rng.usize(0..4);
                let changes = (0..depth).map(|_| rng.u64(0..length.max(2))).collect();
                Schedule::Priorities(Priorities {
                    of: Vec::new(),
                    order: BTreeSet::new(),
                    changes,
                    step: 0,
                    streak: (ThreadId(0), 0),
                    suggested: 0,
                })
            }
        }
    }

    /// A thread to try; most may be waiting or gone.
    pub fn suggest(&mut self, state: &State, rng: &mut Rng) -> Option<ThreadId> {
        let any = |rng: &mut Rng| ThreadId(rng.usize(0..state.threads.len()) as u32);
        match self {
            Schedule::Uniform => Some(any(rng)),
            Schedule::Sticky { last: Some(last), rarely } if rng.u32(0..*rarely) != 0 => Some(*last),
            Schedule::Sticky { .. } => Some(any(rng)),
            Schedule::Priorities(priorities) => priorities.suggest(state, rng),
        }
    }

    /// One of the steps that are possible.
    pub fn pick(&mut self, steps: &[(ThreadId, EdgeId)], rng: &mut Rng) -> usize {
        match self {
            Schedule::Uniform => rng.usize(0..steps.len()),
            Schedule::Sticky { last, rarely } => {
                let same = steps.iter().position(|(thread, _)| Some(*thread) == *last);
                match same {
                    Some(same) if rng.u32(0..*rarely) != 0 => same,
                    _ => rng.usize(0..steps.len()),
                }
            }
            Schedule::Priorities(priorities) => {
                let highest = steps.iter().map(|(thread, _)| thread.0 as usize).max().unwrap_or(0);
                priorities.know(highest + 1, rng);
                (0..steps.len()).max_by_key(|i| priorities.of[steps[*i].0.0 as usize]).unwrap_or(0)
            }
        }
    }

    /// A thread makes its step.
    pub fn ran(&mut self, thread: ThreadId) {
        match self {
            Schedule::Uniform => {}
            Schedule::Sticky { last, .. } => *last = Some(thread),
            Schedule::Priorities(priorities) => priorities.ran(thread),
        }
    }
}

impl Priorities {
    fn know(&mut self, threads: usize, rng: &mut Rng) {
        while self.of.len() < threads {
            let priority = rng.u64(1 << 32..1 << 33);
            self.order.insert((Reverse(priority), ThreadId(self.of.len() as u32)));
            self.of.push(priority);
        }
    }

    fn suggest(&mut self, state: &State, rng: &mut Rng) -> Option<ThreadId> {
        self.know(state.threads.len(), rng);
        while let Some(entry) = self.order.iter().nth(self.suggested).copied() {
            if state.thread(entry.1).life != ThreadLife::Finished {
                self.suggested += 1;
                return Some(entry.1);
            }
            self.order.remove(&entry);
        }
        None
    }

    fn ran(&mut self, thread: ThreadId) {
        self.suggested = 0;
        self.streak = if self.streak.0 == thread { (thread, self.streak.1 + 1) } else { (thread, 0) };
        if self.changes.contains(&self.step) || self.streak.1 > PATIENCE {
            // Below all others, in order of falling.
            let priority = &mut self.of[thread.0 as usize];
            self.order.remove(&(Reverse(*priority), thread));
            *priority = (1 << 31) - self.step.min(1 << 30);
            self.order.insert((Reverse(*priority), thread));
            self.streak.1 = 0;
        }
        self.step += 1;
    }
}

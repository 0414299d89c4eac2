//! Who makes the next step.

use fastrand::Rng;
use program::EdgeId;
use semantics::ThreadId;

/// A strategy, drawn anew for each run.
pub enum Schedule {
    /// Any thread, each time.
    Uniform,
    /// The thread that ran last goes on, with few exceptions: one step in `rarely` switches.
    Sticky { last: Option<ThreadId>, rarely: u32 },
    /// Priorities, the highest runs; at a few random steps the running thread falls to the lowest.
    Priorities { of: Vec<u64>, changes: Vec<u64>, step: u64, streak: (ThreadId, u32) },
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
                Schedule::Priorities { of: Vec::new(), changes, step: 0, streak: (ThreadId(0), 0) }
            }
        }
    }

    /// A thread to try, of `threads`, most of which may be waiting or gone.
    pub fn suggest(&mut self, threads: usize, rng: &mut Rng) -> Option<ThreadId> {
        let any = |rng: &mut Rng| ThreadId(rng.usize(0..threads) as u32);
        match self {
            Schedule::Uniform => Some(any(rng)),
            Schedule::Sticky { last, rarely } => {
                let thread = match *last {
                    Some(last) if rng.u32(0..*rarely) != 0 => last,
                    _ => any(rng),
                };
                *last = Some(thread);
                Some(thread)
            }
            Schedule::Priorities { .. } => None,
        }
    }

    pub fn pick(&mut self, steps: &[(ThreadId, EdgeId)], rng: &mut Rng) -> usize {
        match self {
            Schedule::Uniform => rng.usize(0..steps.len()),
            Schedule::Sticky { last, rarely } => {
                let same = steps.iter().position(|(thread, _)| Some(*thread) == *last);
                let chosen = match same {
                    Some(same) if rng.u32(0..*rarely) != 0 => same,
                    _ => rng.usize(0..steps.len()),
                };
                *last = Some(steps[chosen].0);
                chosen
            }
            Schedule::Priorities { of, changes, step, streak } => {
                let highest = steps.iter().map(|(thread, _)| thread.0 as usize).max().unwrap_or(0);
                while of.len() <= highest {
                    of.push(rng.u64(1 << 32..1 << 33));
                }
                let by_priority = |i: &usize| of[steps[*i].0.0 as usize];
                let chosen = (0..steps.len()).max_by_key(by_priority).unwrap_or(0);
                let thread = steps[chosen].0;
                *streak = if streak.0 == thread { (thread, streak.1 + 1) } else { (thread, 0) };
                if changes.contains(step) || streak.1 > PATIENCE {
                    // Below all others, in order of falling.
                    of[thread.0 as usize] = (1 << 31) - *step;
                    streak.1 = 0;
                }
                *step += 1;
                chosen
            }
        }
    }
}

//! Threads have other names in states that are kept than in a run to them: a run numbers threads as they are created.

use analyses::{Step, What};

/// The names that the threads of a state have in a run.
pub struct Names {
    /// By those in the state.
    real: Vec<u32>,
    /// How many threads the run has created.
    count: u32,
}

impl Names {
    /// Of the first state.
    pub fn new() -> Names {
        Names { real: vec![0], count: 1 }
    }

    /// A step of the run. A thread that it creates is the last one of the state.
    pub fn follow(&mut self, step: &Step) -> Step {
        if let What::Create { .. } = step.what {
            self.real.push(self.count);
            self.count += 1;
        }
        let name = |thread: u32| self.name(thread);
        let (what, choice) = match step.what {
            What::Create { thread, entry } => (What::Create { thread: name(thread), entry }, step.choice),
            What::Join { thread } => (What::Join { thread: name(thread) }, step.choice),
            What::Detach { thread } => (What::Detach { thread: name(thread) }, step.choice),
            // Who is chosen is known by name; its place among the waiters may be another one.
            What::Wake { thread } => (What::Wake { thread: name(thread) }, None),
            what => (what, step.choice),
        };
        Step { thread: name(step.thread), what, choice, ..*step }
    }

    /// The name in the run.
    pub fn name(&self, thread: u32) -> u32 {
        self.real[thread as usize]
    }

    /// The state was kept with its threads in another order, given by the names that they had.
    pub fn reorder(&mut self, old: &[u32]) {
        self.real = old.iter().map(|thread| self.real[*thread as usize]).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::{EdgeId, FunctionId};

    fn step(thread: u32, what: What) -> Step {
        Step { thread, function: FunctionId(0), edge: EdgeId(0), choice: Some(1), what }
    }

    #[test]
    fn names_are_those_of_a_run() {
        let mut names = Names::new();
        for thread in [1, 2] {
            names.follow(&step(0, What::Create { thread, entry: FunctionId(1) }));
        }
        names.reorder(&[0, 2, 1]);
        assert_eq!(names.follow(&step(1, What::Join { thread: 2 })), step(2, What::Join { thread: 1 }));
        // The thread with the name 1 is dropped, and its name given to another one.
        names.reorder(&[0, 1]);
        let created = names.follow(&step(1, What::Create { thread: 2, entry: FunctionId(1) }));
        assert_eq!(created, step(2, What::Create { thread: 3, entry: FunctionId(1) }));
        let woken = names.follow(&step(2, What::Wake { thread: 1 }));
        assert_eq!(woken, Step { choice: None, ..step(3, What::Wake { thread: 2 }) });
    }
}

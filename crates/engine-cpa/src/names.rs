//! Threads have other names in states that are kept than in a run to them: a run numbers threads as they are created.

use analyses::{Control, Step};
use program::{EdgeId, FunctionId};

/// A step of a path to a state: control is needed to repeat it.
pub struct Taken {
    thread: u32,
    function: FunctionId,
    edge: EdgeId,
    choice: Choice,
}

/// What a run may do otherwise, or control changes names.
#[derive(Clone, Copy)]
enum Choice {
    None,
    Number(u32),
    /// Of several waiters.
    Woken(u32),
    /// A thread is created.
    Created,
}

impl Taken {
    pub fn new(step: &Step) -> Taken {
        let choice = match (step.control, step.choice) {
            (Control::Create { .. }, _) => Choice::Created,
            (Control::Wake { thread }, _) => Choice::Woken(thread),
            (_, Some(number)) => Choice::Number(number),
            (_, None) => Choice::None,
        };
        Taken { thread: step.thread, function: step.function, edge: step.edge, choice }
    }
}

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
    pub fn follow(&mut self, taken: &Taken) -> Step {
        let Taken { thread, function, edge, choice } = *taken;
        let (choice, control) = match choice {
            Choice::None | Choice::Created => (None, Control::Open),
            Choice::Number(number) => (Some(number), Control::Open),
            // Who is chosen is known by name; its place among the waiters may be another one.
            Choice::Woken(waiter) => (None, Control::Wake { thread: self.name(waiter) }),
        };
        let step = Step { thread: self.name(thread), function, edge, choice, control };
        if let Choice::Created = taken.choice {
            self.real.push(self.count);
            self.count += 1;
        }
        step
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

    fn step(thread: u32, control: Control) -> Step {
        Step { thread, function: FunctionId(0), edge: EdgeId(0), choice: Some(1), control }
    }

    fn follow(names: &mut Names, thread: u32, control: Control) -> Step {
        names.follow(&Taken::new(&step(thread, control)))
    }

    #[test]
    fn names_are_those_of_a_run() {
        let mut names = Names::new();
        for thread in [1, 2] {
            follow(&mut names, 0, Control::Create { thread, entry: FunctionId(1) });
        }
        names.reorder(&[0, 2, 1]);
        assert_eq!(follow(&mut names, 1, Control::Join { thread: 2 }), step(2, Control::Open));
        // The thread with the name 1 is dropped, and its name given to another one.
        names.reorder(&[0, 1]);
        assert_eq!(follow(&mut names, 1, Control::Create { thread: 2, entry: FunctionId(1) }).thread, 2);
        let woken = follow(&mut names, 2, Control::Wake { thread: 1 });
        assert_eq!(woken, Step { choice: None, ..step(3, Control::Wake { thread: 2 }) });
    }
}

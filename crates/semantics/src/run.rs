//! One run from start to end, by whatever scheduler and inputs the caller has, recorded so that it can be repeated.

use program::{EdgeId, Input, Scalar};

use crate::next::{Lookout, runnable_among};
use crate::state::State;
use crate::step::{Effects, Ending, Environment, Machine};
use crate::trace::{Trace, TraceStep};
use crate::value::ThreadId;

/// The scheduler and environment of a run; sees what happens.
pub trait Driver: Environment {
    /// The index of one of the steps that are possible in `state`; `None` ends the run.
    fn schedule(&mut self, state: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize>;
    /// With many threads: one to try before all are looked at; it runs if it can.
    fn suggest(&mut self, state: &State) -> Option<ThreadId> {
        let _ = state;
        None
    }
    /// A step was suggested and is possible: false ends the run.
    fn accept(&mut self, state: &State, thread: ThreadId, edge: EdgeId) -> bool {
        let _ = (state, thread, edge);
        true
    }
    /// A step was made; `state` is the one it led to. False ends the run.
    fn see(&mut self, state: &State, step: &TraceStep, effects: &Effects) -> bool;
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    By(Ending),
    /// Every thread finished without the program being ended.
    AllFinished,
    /// No thread could make a step.
    Stuck,
    /// The driver stopped it.
    Stopped,
}

pub struct Run {
    pub trace: Trace,
    pub state: State,
    pub end: RunEnd,
}

impl Machine<'_> {
    pub fn run(&self, driver: &mut dyn Driver) -> Run {
        let mut recording = Recording { driver, taken: Vec::new() };
        let state = self.initial(&mut recording);
        let trace = Trace { start: recording.taken, steps: Vec::new() };
        let mut run = Run { trace, state, end: RunEnd::Stopped };
        let (mut lookout, mut steps, mut moved) = (Lookout::default(), Vec::new(), ThreadId(0));
        loop {
            let (thread, edge) = match self.suggested(&run.state, driver) {
                Some((thread, edge)) => {
                    if !driver.accept(&run.state, thread, edge) {
                        return run;
                    }
                    lookout = Lookout::default();
                    (thread, edge)
                }
                None => {
                    lookout.update(self, &run.state, moved);
                    runnable_among(&run.state, &lookout.next, &mut steps);
                    if steps.is_empty() {
                        let finished = run.state.threads.iter().all(|thread| thread.frames.is_empty());
                        run.end = if finished { RunEnd::AllFinished } else { RunEnd::Stuck };
                        return run;
                    }
                    let Some(chosen) = driver.schedule(&run.state, &steps) else { return run };
                    steps[chosen]
                }
            };
            moved = thread;
            let mut recording = Recording { driver, taken: Vec::new() };
            let effects = self.step(&mut run.state, thread, edge, &mut recording);
            let step = TraceStep { thread, edge, choices: recording.taken };
            let goes_on = driver.see(&run.state, &step, &effects);
            run.trace.steps.push(step);
            if let Some(ending) = effects.ending {
                run.end = RunEnd::By(ending);
                return run;
            }
            if !goes_on {
                return run;
            }
        }
    }
}

/// So many threads are looked at one by one, without suggestions.
const FEW: usize = 32;
const SUGGESTIONS: usize = 8;

impl Machine<'_> {
    /// A step of a thread that the driver suggests, if it can run and no atomic section of another thread prevents it.
    fn suggested(&self, state: &State, driver: &mut dyn Driver) -> Option<(ThreadId, EdgeId)> {
        if state.threads.len() <= FEW || self.has_sections {
            return None;
        }
        (0..SUGGESTIONS).find_map(|_| {
            let thread = driver.suggest(state)?;
            Some((thread, self.next(state, thread).edge()?))
        })
    }
}

/// Notes what the driver answers.
struct Recording<'d> {
    driver: &'d mut dyn Driver,
    taken: Vec<u128>,
}

impl Environment for Recording<'_> {
    fn input(&mut self, ty: Scalar, why: Input) -> u128 {
        let value = self.driver.input(ty, why) & crate::value::mask(ty);
        self.taken.push(value);
        value
    }

    fn choose(&mut self, options: u32) -> u32 {
        let value = self.driver.choose(options);
        self.taken.push(u128::from(value));
        value
    }

    fn print(&mut self, text: &[u8]) {
        self.driver.print(text);
    }
}

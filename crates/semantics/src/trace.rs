//! Runs as data: which thread made a step, along which edge, and what was chosen in it. Written as text, one line a step.

use std::fmt::Write as _;

use program::{EdgeId, Input, Scalar};
use thiserror::Error;

use crate::state::State;
use crate::step::{Effects, Environment, Machine};
use crate::value::ThreadId;

/// One step of a run. Edges are given by location of the thread's running function; the number is there to notice a schedule
/// that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub thread: ThreadId,
    pub edge: EdgeId,
    pub choices: Vec<u128>,
}

/// A run from the first state on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// What was chosen before the first step.
    pub start: Vec<u128>,
    pub steps: Vec<TraceStep>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    #[error("step {0}: there is no thread {1}")]
    NoThread(usize, ThreadId),
    #[error("step {0}: thread {1} cannot make this step here")]
    NotEnabled(usize, ThreadId),
    #[error("step {0}: the choices recorded are not those that the step makes")]
    Choices(usize),
    #[error("the program ended before step {0}")]
    Ended(usize),
}

/// Gives back recorded choices, then zeros.
pub struct Recorded<'t> {
    choices: &'t [u128],
    next: usize,
    pub output: Vec<u8>,
}

impl<'t> Recorded<'t> {
    pub fn new(choices: &'t [u128]) -> Self {
        Recorded { choices, next: 0, output: Vec::new() }
    }

    /// Were exactly as many choices made as were recorded?
    pub fn is_used_up(&self) -> bool {
        self.next == self.choices.len()
    }

    fn take(&mut self) -> u128 {
        self.next += 1;
        self.choices.get(self.next - 1).copied().unwrap_or(0)
    }
}

impl Environment for Recorded<'_> {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        self.take()
    }

    fn choose(&mut self, options: u32) -> u32 {
        (self.take() as u32).min(options - 1)
    }

    fn print(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }
}

/// How a repeated run ended.
pub struct Replay {
    pub state: State,
    pub output: Vec<u8>,
    /// Effects of the last step.
    pub last: Effects,
}

impl Machine<'_> {
    /// Repeats a run step by step; every step must be possible and use exactly the choices recorded. `see` is given each state
    /// before the step that leaves it.
    pub fn replay(&self, trace: &Trace, mut see: impl FnMut(&State, usize)) -> Result<Replay, ReplayError> {
        self.replay_with_effects(trace, |state, i, _| see(state, i))
    }

    /// The same; `see` is also given the effects of the step that led to the state.
    pub fn replay_with_effects(
        &self,
        trace: &Trace,
        mut see: impl FnMut(&State, usize, &Effects),
    ) -> Result<Replay, ReplayError> {
        let mut environment = Recorded::new(&trace.start);
        let mut state = self.initial(&mut environment);
        if !environment.is_used_up() {
            return Err(ReplayError::Choices(0));
        }
        let mut replay_output = Vec::new();
        let mut last = Effects::default();
        for (i, step) in trace.steps.iter().enumerate() {
            if last.ending.is_some() {
                return Err(ReplayError::Ended(i));
            }
            see(&state, i, &last);
            if step.thread.0 as usize >= state.threads.len() {
                return Err(ReplayError::NoThread(i, step.thread));
            }
            if !self.runnable(&state).contains(&(step.thread, step.edge)) {
                return Err(ReplayError::NotEnabled(i, step.thread));
            }
            let mut environment = Recorded::new(&step.choices);
            last = self.step(&mut state, step.thread, step.edge, &mut environment);
            if !environment.is_used_up() {
                return Err(ReplayError::Choices(i));
            }
            replay_output.extend(environment.output);
        }
        Ok(Replay { state, output: replay_output, last })
    }
}

impl Trace {
    /// The steps as text: `thread edge choice…`, one line each.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let choices = |choices: &[u128]| choices.iter().map(|c| format!(" {c}")).collect::<String>();
        let _ = writeln!(text, "start{}", choices(&self.start));
        for step in &self.steps {
            let _ = writeln!(text, "{} {}{}", step.thread.0, step.edge.0, choices(&step.choices));
        }
        text
    }

    /// Reads what `to_text` wrote; on failure the number of the line, counted from one.
    pub fn from_text(text: &str) -> Result<Trace, usize> {
        let mut trace = Trace::default();
        for (i, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace();
            let Some(first) = words.next() else { continue };
            let wrong = |_| i + 1;
            if first == "start" {
                trace.start = words.map(|w| w.parse().map_err(wrong)).collect::<Result<_, _>>()?;
                continue;
            }
            let thread = ThreadId(first.parse().map_err(wrong)?);
            let edge = EdgeId(words.next().ok_or(i + 1)?.parse().map_err(wrong)?);
            let choices = words.map(|w| w.parse().map_err(wrong)).collect::<Result<_, _>>()?;
            trace.steps.push(TraceStep { thread, edge, choices });
        }
        Ok(trace)
    }
}

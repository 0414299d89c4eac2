//! Makes one run: a random one, or the one that a trace holds. Watches for what is wrong.

use std::io::{self, Write};

use fastrand::Rng;
use program::{EdgeId, End, Input, Scalar};
use semantics::{Effects, Ending, Environment, Machine, Next, Run, RunEnd, State, ThreadId, Trace, TraceStep};
use verify::Target;

use crate::arguments::RunArgs;

/// A violation, seen after so many steps.
pub struct Found {
    pub target: Target,
    pub steps: usize,
}

pub struct Driver<'d, 'p> {
    machine: &'d Machine<'p>,
    recorded: Option<&'d Trace>,
    rng: Rng,
    most_steps: u64,
    steps: usize,
    /// Choices made in the step under way; before the first one, those of the start.
    choices: usize,
    started: bool,
    last: Option<ThreadId>,
    out: &'d mut dyn Write,
    pub printed: io::Result<()>,
    pub found: Vec<Found>,
    /// A recorded run was repeated to its end.
    pub followed: bool,
}

/// One step in so many goes to another thread, if one can.
const SWITCHES: u32 = 4;

impl<'d, 'p> Driver<'d, 'p> {
    pub fn new(machine: &'d Machine<'p>, recorded: Option<&'d Trace>, args: &RunArgs, out: &'d mut dyn Write) -> Self {
        Driver {
            machine,
            recorded,
            rng: Rng::with_seed(args.seed),
            most_steps: args.steps,
            steps: 0,
            choices: 0,
            started: false,
            last: None,
            out,
            printed: Ok(()),
            found: Vec::new(),
            followed: false,
        }
    }

    /// Each kind once.
    fn report(&mut self, target: Target) {
        if !self.found.iter().any(|found| found.target == target) {
            self.found.push(Found { target, steps: self.steps });
        }
    }

    pub fn finish(&mut self, run: &Run) {
        match &run.end {
            RunEnd::Stuck => self.report(Target::Deadlock),
            RunEnd::By(ending @ Ending::Program(End::Return))
                if Target::Lost.is_shown_by_state(self.machine, &run.state, Some(ending)) =>
            {
                self.report(Target::Lost);
            }
            _ => {}
        }
    }

    fn recorded_choice(&mut self) -> Option<u128> {
        let trace = self.recorded?;
        let choices = if self.started { &trace.steps.get(self.steps)?.choices } else { &trace.start };
        self.choices += 1;
        choices.get(self.choices - 1).copied()
    }

    fn random_input(&mut self, ty: Scalar) -> u128 {
        let any = u128::from(self.rng.u64(..));
        match (ty, self.rng.u8(0..4)) {
            (Scalar::Pointer(_), _) => 0,
            (Scalar::Float(_), _) => 0,
            (_, 0) => any,
            (_, 1) => u128::from(self.rng.u64(0..256)),
            _ => u128::from(self.rng.u64(0..8)),
        }
    }
}

impl Environment for Driver<'_, '_> {
    fn input(&mut self, ty: Scalar, _: Input) -> u128 {
        self.recorded_choice().unwrap_or_else(|| self.random_input(ty))
    }

    fn choose(&mut self, options: u32) -> u32 {
        let chosen = self.recorded_choice().map(|choice| (choice as u32).min(options - 1));
        chosen.unwrap_or_else(|| self.rng.u32(0..options))
    }

    fn print(&mut self, text: &[u8]) {
        if self.printed.is_ok() {
            self.printed = self.out.write_all(text);
            if text.contains(&b'\n') && self.printed.is_ok() {
                self.printed = self.out.flush();
            }
        }
    }
}

impl semantics::Driver for Driver<'_, '_> {
    fn schedule(&mut self, _: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize> {
        self.started = true;
        self.choices = 0;
        if let Some(trace) = self.recorded {
            let next = trace.steps.get(self.steps);
            self.followed = next.is_none();
            return steps
                .iter()
                .position(|(thread, edge)| next.is_some_and(|s| s.thread == *thread && s.edge == *edge));
        }
        if self.steps as u64 >= self.most_steps {
            return None;
        }
        let same = steps.iter().position(|(thread, _)| Some(*thread) == self.last);
        let chosen = match same {
            Some(same) if self.rng.u32(0..SWITCHES) != 0 => same,
            _ => self.rng.usize(0..steps.len()),
        };
        self.last = Some(steps[chosen].0);
        Some(chosen)
    }

    fn see(&mut self, state: &State, step: &TraceStep, effects: &Effects) -> bool {
        self.steps += 1;
        for violation in &effects.violations {
            self.report(Target::of(*violation));
        }
        if effects.ending.is_none() {
            self.look_around(state, step);
        }
        // What is printed is not read: the run is of no use any more.
        self.printed.is_ok()
    }
}

impl Driver<'_, '_> {
    fn look_around(&mut self, state: &State, step: &TraceStep) {
        let seen = |target| self.found.iter().any(|found| found.target == target);
        let (race, deadlock) = (seen(Target::Race), seen(Target::Deadlock));
        if !race && state.threads.len() > 1 && Target::Race.is_shown_by_state(self.machine, state, None) {
            self.report(Target::Race);
        }
        if !deadlock
            && matches!(self.machine.next(state, step.thread), Next::Blocked(_))
            && Target::Deadlock.is_shown_by_state(self.machine, state, None)
        {
            self.report(Target::Deadlock);
        }
    }
}

//! The driver of one run: schedules, draws inputs, looks for targets; and what is kept between runs.

use base::Budget;
use fastrand::Rng;
use program::{EdgeId, End, FunctionId, Input, Scalar};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{
    Effects, Ending, Environment, Machine, Next, Recorded, Run, RunEnd, State, ThreadId, Trace, TraceStep, Undefined,
};
use spec::{Automaton, Monitor};
use verify::{Target, Targets, Task};

use crate::happens_before::{HappensBefore, Unordered};
use crate::inputs::{Pool, Taste, draw};
use crate::schedule::Schedule;

/// What later runs know from earlier ones.
pub struct Memory {
    seed: u64,
    pool: Pool,
    /// The longest run that ended by itself.
    longest: u64,
    /// Steps that a run may take; grows while runs do not end.
    patience: u64,
    /// Kinds of undefined behaviour that ended runs.
    pub undefined: Vec<Undefined>,
    unsupported: Option<Box<str>>,
    /// Why the interpreter stopped runs.
    pub given_up: Option<&'static str>,
    /// How often a pair of accesses could not be brought together.
    failed: FxHashMap<[(FunctionId, EdgeId); 2], u32>,
    /// Some run had a choice to make, or was cut short.
    has_choices: bool,
    runs: u64,
}

impl Memory {
    pub fn new(task: &Task<'_>, seed: u64) -> Self {
        Memory {
            seed,
            pool: Pool::of(task.program),
            longest: 0,
            patience: 3000,
            undefined: Vec::new(),
            unsupported: None,
            given_up: None,
            failed: FxHashMap::default(),
            has_choices: false,
            runs: 0,
        }
    }

    pub fn unsupported(&self) -> Option<Box<str>> {
        self.unsupported.clone()
    }

    /// The program has one run only, and that was made.
    pub fn saw_everything(&self) -> bool {
        self.runs > 0 && !self.has_choices
    }
}

pub struct Found {
    pub target: Target,
    /// If it is not the run itself.
    pub trace: Option<Trace>,
    /// Rests on an input that an imprecise model gave.
    pub imprecise: bool,
}

pub struct Driver<'d, 'p> {
    machine: &'d Machine<'p>,
    targets: Targets,
    memory: &'d mut Memory,
    budget: &'d Budget,
    rng: Rng,
    taste: Taste,
    schedule: Schedule,
    happens_before: Option<HappensBefore>,
    specification: Option<&'d Automaton>,
    /// The monitor automaton of the specification, from the first step on.
    monitor: Option<Monitor<'d, 'p>>,
    steps: Vec<TraceStep>,
    start: Vec<u128>,
    started: bool,
    most_steps: u64,
    imprecise: bool,
    /// A race is predicted: checked before the step is made.
    pub found: Option<Found>,
}

/// Steps between two checks of the clock.
const BREATH: usize = 256;
/// With more threads than this, clocks cost too much.
const MOST_CLOCKS: usize = 500;
/// No run takes more.
const MOST_STEPS: u64 = 4_000_000;
/// Tries to bring a pair of accesses together.
const TRIES: u32 = 4;

impl<'d, 'p> Driver<'d, 'p> {
    pub fn new(
        machine: &'d Machine<'p>,
        task: &Task<'d>,
        memory: &'d mut Memory,
        run: u64,
        budget: &'d Budget,
    ) -> Self {
        let mut rng = Rng::with_seed(memory.seed ^ run.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let most_steps = memory.patience;
        let targets = task.targets;
        let schedule = Schedule::of_run(run, memory.longest, &mut rng);
        Driver {
            machine,
            targets,
            budget,
            rng,
            taste: Taste::of_run(run / 2),
            schedule,
            happens_before: targets.contains(Target::Race).then(HappensBefore::default),
            specification: task.specification.filter(|_| targets.contains(Target::Specification)),
            monitor: None,
            steps: Vec::new(),
            start: Vec::new(),
            started: false,
            most_steps,
            imprecise: false,
            found: None,
            memory,
        }
    }

    fn report(&mut self, target: Target, trace: Option<Trace>) {
        if self.targets.contains(target) && self.found.is_none() {
            self.found = Some(Found { target, trace, imprecise: self.imprecise });
        }
    }

    /// Looks at how the run ended.
    pub fn finish(&mut self, run: &Run) {
        self.memory.runs += 1;
        match &run.end {
            RunEnd::By(ending @ Ending::Program(End::Return)) => self.look_for_blocks(&run.state, Some(ending)),
            RunEnd::AllFinished => self.look_for_blocks(&run.state, None),
            RunEnd::By(Ending::Undefined(kind)) => {
                if !self.memory.undefined.contains(kind) {
                    self.memory.undefined.push(*kind);
                }
            }
            RunEnd::By(Ending::Unsupported(what)) => {
                self.memory.unsupported.get_or_insert_with(|| what.clone());
            }
            RunEnd::By(Ending::Limit(what)) => self.memory.given_up = Some(what),
            RunEnd::Stopped => self.memory.has_choices = true,
            RunEnd::Stuck => self.report(Target::Deadlock, None),
            RunEnd::By(Ending::Program(_)) => {}
        }
        let length = run.trace.steps.len() as u64;
        if run.end == RunEnd::Stopped {
            self.memory.patience = (self.memory.patience * 3 / 2).clamp(3000, MOST_STEPS);
        } else {
            self.memory.longest = self.memory.longest.max(length);
            // Endless runs must not take the time of those that end.
            self.memory.patience = (self.memory.patience / 2).max(self.memory.longest * 2 + 3000);
        }
    }

    fn look_for_blocks(&mut self, state: &State, ending: Option<&Ending>) {
        for target in [Target::NotFreed, Target::Lost] {
            if self.found.is_none()
                && self.targets.contains(target)
                && target.is_shown_by_state(self.machine, state, ending)
            {
                self.report(target, None);
            }
        }
    }

    /// Tries to cut the run down to one in which both accesses are next: without the first access and all that happens after it.
    fn bring_together(&mut self, pair: &Unordered, state: &State) {
        let failed = self.memory.failed.entry(pair.edges).or_default();
        if *failed >= TRIES {
            return;
        }
        match self.without(pair, state) {
            Some(trace) => self.report(Target::Race, Some(trace)),
            None => *self.memory.failed.entry(pair.edges).or_default() += 1,
        }
    }

    fn without(&self, pair: &Unordered, last: &State) -> Option<Trace> {
        let machine = self.machine;
        let full = Trace { start: self.start.clone(), steps: self.steps.clone() };
        let mut clocks = HappensBefore::default();
        let mut keep = vec![true; full.steps.len()];
        // For each step inside an atomic section, the step that began it.
        let mut section = vec![None; full.steps.len()];
        let mut open: Vec<Option<usize>> = vec![None; last.threads.len()];
        machine
            .replay(&full, |state, i| {
                let step = &full.steps[i];
                let open = &mut open[step.thread.0 as usize];
                *open = if state.thread(step.thread).atomic > 0 { *open } else { Some(i) };
                section[i] = *open;
                clocks.advance(machine, state, step.thread, step.edge);
                keep[i] = i < pair.step || !clocks.knows(step.thread, pair.thread, pair.time);
            })
            .ok()?;
        // A thread inside an atomic section keeps all others waiting: sections are left out whole, but for that of the first
        // access, which its thread enters last.
        let broken: FxHashSet<_> = (0..keep.len()).filter(|i| !keep[*i]).map(|i| section[i]).collect();
        for i in 0..keep.len() {
            keep[i] &= full.steps[i].thread == pair.thread || !broken.contains(&section[i]);
        }
        let deferred = |i: &usize| full.steps[*i].thread == pair.thread && section[*i] == section[pair.step];
        let (late, early): (Vec<usize>, Vec<usize>) = (0..keep.len()).filter(|i| keep[*i]).partition(deferred);
        let mut environment = Recorded::new(&full.start);
        let mut state = machine.initial(&mut environment);
        let mut trace = Trace { start: full.start.clone(), steps: Vec::new() };
        for step in early.iter().chain(&late).map(|i| &full.steps[*i]) {
            // Threads that were created in between may be missing, so numbers differ; which thread created which does not.
            let path = &last.thread(step.thread).path;
            let thread = state.thread_ids().find(|t| state.thread(*t).path == *path)?;
            match machine.next(&state, thread) {
                Next::Step(edge) | Next::Spurious(edge) if edge == step.edge => {}
                _ => return None,
            }
            let mut environment = Recorded::new(&step.choices);
            let effects = machine.step(&mut state, thread, step.edge, &mut environment);
            if effects.ending.is_some() || !environment.is_used_up() {
                return None;
            }
            trace.steps.push(TraceStep { thread, edge: step.edge, choices: step.choices.clone() });
        }
        machine.race(&state).map(|_| trace)
    }
}

impl Environment for Driver<'_, '_> {
    fn input(&mut self, ty: Scalar, why: Input) -> u128 {
        self.memory.has_choices = true;
        let value = draw(&mut self.rng, &self.memory.pool, self.taste, ty, why);
        self.imprecise |= why.is_imprecise(value);
        if !self.started {
            self.start.push(value);
        }
        value
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.memory.has_choices |= options > 1;
        let value = self.rng.u32(0..options);
        if !self.started {
            self.start.push(u128::from(value));
        }
        value
    }

    fn print(&mut self, _: &[u8]) {}
}

impl semantics::Driver for Driver<'_, '_> {
    fn schedule(&mut self, state: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize> {
        self.started = true;
        self.memory.has_choices |= steps.len() > 1;
        let chosen = self.schedule.pick(steps, &mut self.rng);
        let (thread, edge) = steps[chosen];
        self.accept(state, thread, edge).then_some(chosen)
    }

    fn suggest(&mut self, state: &State) -> Option<ThreadId> {
        self.schedule.suggest(state, &mut self.rng)
    }

    fn accept(&mut self, state: &State, thread: ThreadId, edge: EdgeId) -> bool {
        if self.steps.len() as u64 >= self.most_steps
            || (self.steps.len().is_multiple_of(BREATH) && self.budget.exhausted().is_some())
        {
            return false;
        }
        self.schedule.ran(thread);
        if state.threads.len() > MOST_CLOCKS {
            self.happens_before = None;
        }
        if let Some(clocks) = &mut self.happens_before
            && let Some(pair) = clocks.advance(self.machine, state, thread, edge)
        {
            self.bring_together(&pair, state);
        }
        if let Some(automaton) = self.specification {
            let machine = self.machine;
            let monitor = self.monitor.get_or_insert_with(|| Monitor::new(machine, automaton, state));
            if monitor.reached().is_some() {
                // Before the first step.
                self.report(Target::Specification, None);
                return false;
            }
            monitor.before(state, thread, edge);
        }
        self.found.is_none()
    }

    fn see(&mut self, state: &State, step: &TraceStep, effects: &Effects) -> bool {
        self.steps.push(step.clone());
        for violation in &effects.violations {
            self.report(Target::of(*violation), None);
        }
        self.follow(state, effects);
        if effects.ending.is_none() && self.found.is_none() {
            self.look_around(state, step);
        }
        self.found.is_none()
    }
}

impl Driver<'_, '_> {
    /// Has the step led the specification to an error?
    fn follow(&mut self, state: &State, effects: &Effects) {
        let Some(monitor) = &mut self.monitor else { return };
        monitor.after(state, effects);
        if monitor.reached().is_some() {
            self.report(Target::Specification, None);
        }
    }

    /// Deadlocks among some threads, and memory that a frame took with it.
    fn look_around(&mut self, state: &State, step: &TraceStep) {
        if self.targets.contains(Target::Deadlock)
            && matches!(self.machine.next(state, step.thread), Next::Blocked(_))
            && Target::Deadlock.is_shown_by_state(self.machine, state, None)
        {
            self.report(Target::Deadlock, None);
        }
        if self.targets.contains(Target::Lost) && self.steps.len().is_multiple_of(BREATH) {
            self.look_for_blocks(state, None);
        }
    }
}

//! Random runs of a program, with the analysis beside the interpreter.

use std::collections::BTreeSet;

use analyses::threads::{self, Next, Threads};
use analyses::{Analysis, Control, Names, Naming, Post, States, Step, Then, Unknown};
use program::{Callee, EdgeId, Op, Program, ThreadOp};
use semantics::{Effects, Ending, Life, Machine, ObjectId, Random, State, ThreadId, Undefined, Violation};

use crate::compare::{self, Check};
use crate::oracle::{Guesses, Oracle};

pub struct Effort {
    pub runs: u64,
    pub longest: usize,
}

/// Runs with more threads are not followed.
const MOST_THREADS: usize = 40;

#[derive(Default, Debug)]
pub struct Tally {
    pub runs: u64,
    pub steps: u64,
    /// Runs that the analysis gave up, with reason.
    pub unknowns: u64,
    pub effects: BTreeSet<&'static str>,
}

impl Tally {
    pub fn sum(all: Vec<Tally>) -> Tally {
        let mut sum = Tally::default();
        for one in all {
            sum.runs += one.runs;
            sum.steps += one.steps;
            sum.unknowns += one.unknowns;
            sum.effects.extend(one.effects);
        }
        sum
    }
}

pub fn check(program: &Program, effort: &Effort, tally: &mut Tally) -> Check {
    let machine = Machine::new(program);
    let mut threads = Threads::new(program);
    for seed in 0..effort.runs {
        tally.runs += 1;
        let mut pair = Pair::new(&machine, &mut threads, seed);
        let mut last = None;
        for _ in 0..effort.longest {
            let Some((thread, edge)) = pair.look(&mut last, tally)? else { break };
            tally.steps += 1;
            let what = machine.edge(&pair.theirs, thread, edge);
            let line = program.sources.place(what.span).map_or(0, |place| place.line);
            let stepped = pair.step(thread, edge, tally);
            if !stepped.map_err(|e| format!("run {seed}, {thread}, line {line}: {:?}: {e}", what.op))? {
                break;
            }
        }
    }
    Ok(())
}

struct Pair<'a, 'p> {
    machine: &'a Machine<'p>,
    threads: &'a mut Threads<'p>,
    guesses: Guesses,
    ours: threads::ControlState,
    theirs: State,
}

impl<'a, 'p> Pair<'a, 'p> {
    fn new(machine: &'a Machine<'p>, threads: &'a mut Threads<'p>, seed: u64) -> Self {
        let mut guesses = Guesses { random: Random::new(seed), chosen: Vec::new() };
        let theirs = machine.initial(&mut guesses);
        let ours = threads.initial().expect("there is a first state");
        Pair { machine, threads, guesses, ours, theirs }
    }

    /// Compares the states and chooses the next step, if there is one.
    fn look(&mut self, last: &mut Option<ThreadId>, tally: &mut Tally) -> Result<Option<(ThreadId, EdgeId)>, String> {
        compare::control(self.threads, &self.ours, &self.theirs)?;
        self.store();
        self.rename();
        let mut oracle = Oracle::new(self.machine, &self.theirs);
        let next = match self.threads.next_of_all(&self.ours, &mut oracle) {
            Ok(next) => next,
            Err(unknown) => return excuse(unknown, oracle.did_not_know, tally).map(|()| None),
        };
        compare::enabled(self.threads, &self.ours, &next, self.machine, &self.theirs)?;
        if threads::is_deadlock(&next) {
            tally.effects.insert("deadlock");
        }
        self.blocked_steps(&next)?;
        let steps = self.machine.runnable(&self.theirs);
        if steps.is_empty() || self.theirs.threads.len() > MOST_THREADS {
            return Ok(None);
        }
        let random = &mut self.guesses.random;
        let same = steps.iter().find(|(thread, _)| Some(*thread) == *last).filter(|_| !random.once_in(3));
        let chosen = same.copied().unwrap_or_else(|| *random.pick(&steps));
        *last = Some(chosen.0);
        Ok(Some(chosen))
    }

    /// Makes a step on both sides. False if the run ends.
    fn step(&mut self, thread: ThreadId, edge: EdgeId, tally: &mut Tally) -> Result<bool, String> {
        let op = &self.machine.edge(&self.theirs, thread, edge).op;
        let mut oracle = Oracle::new(self.machine, &self.theirs);
        let step = self.open(thread, edge);
        let mut post = Post::default();
        let done = self.threads.transfer(self.ours.clone(), &step, &mut oracle, &mut post);
        let did_not_know = oracle.did_not_know;
        self.guesses.chosen.clear();
        let effects = self.machine.step(&mut self.theirs, thread, edge, &mut self.guesses);
        if let Err(unknown) = done {
            let is_excused = did_not_know || matches!(effects.ending, Some(Ending::Unsupported(_) | Ending::Limit(_)));
            return excuse(unknown, is_excused, tally).map(|()| false);
        }
        self.endings(op, &post, &effects, tally)?;
        if effects.ending.is_some() {
            return Ok(false);
        }
        self.follow(op, thread, post, tally)?;
        Ok(true)
    }

    fn open(&self, thread: ThreadId, edge: EdgeId) -> Step {
        let function = self.theirs.frame(thread).function;
        Step { thread: thread.0, function, edge, choice: None, control: Control::Open }
    }

    /// Goes on with the one successor that fits what was chosen.
    fn follow(&mut self, op: &Op, thread: ThreadId, post: Post<threads::ControlState>, tally: &mut Tally) -> Check {
        let chosen = self.guesses.chosen.first().copied();
        let choice = if matches!(op, Op::Thread(_)) { chosen } else { None };
        let several = post.successors.len() > 1;
        let mut fitting = post.successors.into_iter().filter(|(_, step)| step.choice == choice);
        let (Some((state, step)), None) = (fitting.next(), fitting.next()) else {
            return Err(format!("not one successor for the choice {choice:?}"));
        };
        compare::result(op, step.control, &self.theirs, thread)?;
        self.ours = state;
        let theirs = &self.theirs;
        self.threads.forget_locks(&mut self.ours, |object| theirs.object(object).life != Life::Live);
        tally.effects.insert(name(step.control));
        if several {
            tally.effects.insert("one of several");
        }
        Ok(())
    }

    /// The analysis ends a run if and only if the interpreter does, for reasons that are not data's.
    fn endings(&self, op: &Op, post: &Post<threads::ControlState>, effects: &Effects, tally: &mut Tally) -> Check {
        let is_control = match op {
            Op::Thread(op) => !matches!(**op, ThreadOp::Create { .. }),
            Op::Call(call) => matches!(call.callee, Callee::Indirect(_)),
            Op::End(_) => true,
            _ => false,
        };
        let must = match effects.ending {
            Some(Ending::Program(_) | Ending::Undefined(Undefined::Call | Undefined::Handle)) => true,
            Some(Ending::Undefined(Undefined::Access)) => is_control,
            _ => false,
        };
        let finds = |violation| post.findings.iter().any(|finding| finding.violation == violation);
        let invalid = finds(Violation::InvalidAccess);
        if finds(Violation::Undefined) != matches!(effects.ending.as_ref().filter(|_| must), Some(Ending::Undefined(_)))
        {
            return Err(format!("{:?}, for the interpreter {:?}", post.findings, effects.ending));
        }
        if post.ends != must || (post.ends && !post.successors.is_empty()) {
            return Err(format!("ends: {}, for the interpreter {:?}", post.ends, effects.ending));
        }
        if invalid && !effects.violations.contains(&Violation::InvalidAccess) {
            return Err(format!("{:?}, for the interpreter {:?}", post.findings, effects.violations));
        }
        if must && !invalid && effects.violations.contains(&Violation::InvalidAccess) {
            return Err("an invalid access is not seen".into());
        }
        tally.effects.extend(post.ends.then_some("ends"));
        tally.effects.extend(invalid.then_some("invalid"));
        Ok(())
    }

    /// Steps of threads that wait have no successor.
    fn blocked_steps(&mut self, next: &[Next]) -> Check {
        for (thread, next) in self.theirs.thread_ids().zip(next) {
            let Next::Blocked(_) = next else { continue };
            let frame = self.theirs.frame(thread);
            let Some((edge, _)) = self.machine.function(frame.function).edges_from(frame.location).next() else {
                continue;
            };
            let step = self.open(thread, edge);
            let mut post = Post::default();
            let mut oracle = Oracle::new(self.machine, &self.theirs);
            let _ = self.threads.transfer(self.ours.clone(), &step, &mut oracle, &mut post);
            if !post.successors.is_empty() {
                return Err(format!("{thread} is blocked but has successors"));
            }
        }
        Ok(())
    }

    /// What is stored comes back, and has the number that it had.
    fn store(&mut self) {
        let key = self.threads.store(&mut self.ours);
        let mut loaded = self.threads.load(key);
        assert_eq!(format!("{loaded:?}"), format!("{:?}", self.ours));
        assert_eq!(self.threads.store(&mut loaded), key);
        self.ours = loaded;
    }

    fn mentioned(&self, state: &threads::ControlState) -> BTreeSet<ObjectId> {
        let mut all = BTreeSet::new();
        self.threads.mentions(state, &mut |object| {
            all.insert(object);
        });
        all
    }

    /// Other names and back; only objects that are mentioned matter.
    fn rename(&mut self) {
        let count = self.theirs.objects.len() as u32;
        let turned: Vec<_> = (0..count).map(|i| Some(ObjectId(count - 1 - i))).collect();
        let mut state = self.ours.clone();
        let before = self.mentioned(&state);
        self.threads.rename(&mut state, &Names { objects: turned.clone(), ended: Vec::new() });
        assert_eq!(self.mentioned(&state), before.iter().filter_map(|object| turned[object.0 as usize]).collect());
        self.threads.rename(&mut state, &Names { objects: turned, ended: Vec::new() });
        assert_eq!(self.threads.store(&mut state), self.threads.store(&mut self.ours));
    }
}

fn name(control: Control) -> &'static str {
    match control {
        Control::Open => "not decided",
        Control::Plain | Control::Exchange { .. } => "Plain",
        Control::Call(_) => "Call",
        Control::Return => "Return",
        Control::Create { .. } => "Create",
        Control::Join { .. } => "Join",
        Control::Detach { .. } => "Detach",
        Control::Wake { .. } => "Wake",
        Control::Yield(_) => "Yield",
        Control::Pop(_) => "Pop",
        Control::Key(_) => "Key",
        Control::Leave(Then::Handler(_)) => "Handler",
        Control::Leave(Then::Destructor(..)) => "Destructor",
        Control::Leave(Then::Finish) => "Finish",
        Control::Leave(Then::Vanish) => "Vanish",
    }
}

/// The analysis may give up if an answer was missing or the interpreter does.
fn excuse(unknown: Unknown, is_excused: bool, tally: &mut Tally) -> Check {
    tally.unknowns += 1;
    if is_excused { Ok(()) } else { Err(format!("unknown: {}", unknown.describe())) }
}

//! Random runs of a program, with the analyses beside the interpreter.

use std::collections::BTreeMap;

use analyses::memory::{self, Memory};
use analyses::numbers::{Numbers, NumericalDomain};
use analyses::{Analysis, Control, Finding, NoAnswers, Post, Product, States, Step, Threads};
use program::{EdgeId, Input, Op, Program, Scalar};
use semantics::{Effects, Ending, Environment, Life, Machine, ObjectKind, Random, State, ThreadId, Violation};

use crate::contain;

pub struct Effort {
    pub runs: u64,
    pub longest: usize,
}

#[derive(Default, Debug)]
pub struct Tally {
    pub runs: u64,
    pub steps: u64,
    pub joins: u64,
    /// Steps that were cut apart first.
    pub cut: u64,
    /// Runs that the analyses gave up, by reason.
    pub unknowns: BTreeMap<String, u64>,
}

impl Tally {
    pub fn sum(all: Vec<Tally>) -> Tally {
        let mut sum = Tally::default();
        for one in all {
            sum.runs += one.runs;
            sum.steps += one.steps;
            sum.joins += one.joins;
            sum.cut += one.cut;
            one.unknowns.into_iter().for_each(|(why, count)| *sum.unknowns.entry(why).or_default() += count);
        }
        sum
    }

    pub fn given_up(&self) -> u64 {
        self.unknowns.values().sum()
    }
}

type Whole<'p, D> = Product<Threads<'p>, Product<Memory<'p>, Numbers<'p, D>>>;
type Abstract<'p, D> = <Whole<'p, D> as States>::State;

type Seen = BTreeMap<(u32, u32), Vec<u32>>;

/// Inputs are small; what is chosen is noted.
struct Guesses {
    random: Random,
    chosen: Vec<u32>,
}

impl Environment for Guesses {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.random.pick(&[0, 1, 2, -2_i64 as u128, 7])
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.chosen.push(self.random.below(options as usize) as u32);
        self.chosen[self.chosen.len() - 1]
    }

    fn print(&mut self, _: &[u8]) {}
}

/// Runs with more threads are not followed.
const MOST_THREADS: usize = 40;

pub fn check<D: NumericalDomain>(
    program: &Program,
    domain: D,
    effort: &Effort,
    tally: &mut Tally,
) -> Result<(), String> {
    let machine = Machine::new(program);
    let pointers = memory::Options { pointers_only: true, ..Default::default() };
    let data = Product(Memory::new(program, pointers), Numbers::over(program, domain));
    let mut whole = Product(Threads::new(program), data);
    // Sets that were seen, by the control and the pointers there, to be joined with others.
    let mut seen = Seen::default();
    for seed in 0..effort.runs {
        tally.runs += 1;
        let mut guesses = Guesses { random: Random::new(seed), chosen: Vec::new() };
        let theirs = machine.initial(&mut guesses);
        let ours = whole.initial().map_err(|unknown| unknown.describe().to_owned())?;
        let mut pair = Pair { machine: &machine, whole: &mut whole, guesses, ours, theirs };
        let mut last = None;
        for _ in 0..effort.longest {
            let Some((thread, edge)) = pair.choose(&mut last) else { break };
            tally.steps += 1;
            let what = machine.edge(&pair.theirs, thread, edge);
            let line = program.sources.place(what.span).map_or(0, |place| place.line);
            let stepped = pair.step(thread, edge, tally);
            if !stepped.map_err(|e| format!("run {seed}, {thread}, line {line}: {:?}: {e}", what.op))? {
                break;
            }
            pair.join(&mut seen, tally)?;
        }
    }
    Ok(())
}

struct Pair<'a, 'p, D: NumericalDomain> {
    machine: &'a Machine<'p>,
    whole: &'a mut Whole<'p, D>,
    guesses: Guesses,
    ours: Abstract<'p, D>,
    theirs: State,
}

impl<'p, D: NumericalDomain> Pair<'_, 'p, D> {
    fn choose(&mut self, last: &mut Option<ThreadId>) -> Option<(ThreadId, EdgeId)> {
        let steps = self.machine.runnable(&self.theirs);
        if steps.is_empty() || self.theirs.threads.len() > MOST_THREADS {
            return None;
        }
        let random = &mut self.guesses.random;
        let same = steps.iter().find(|(thread, _)| Some(*thread) == *last).filter(|_| !random.once_in(3));
        let chosen = same.copied().unwrap_or_else(|| *random.pick(&steps));
        *last = Some(chosen.0);
        Some(chosen)
    }

    /// Makes a step on both sides. False if the run ends.
    fn step(&mut self, thread: ThreadId, edge: EdgeId, tally: &mut Tally) -> Result<bool, String> {
        let op = &self.machine.edge(&self.theirs, thread, edge).op;
        let function = self.theirs.frame(thread).function;
        let step = Step { thread: thread.0, function, edge, choice: None, control: Control::Open };
        let mut parts = Vec::new();
        self.whole.prepare(self.ours.clone(), &step, &mut parts);
        tally.cut += u64::from(parts.len() > 1);
        parts.retain(|part| self.differs(part).is_none());
        if parts.is_empty() {
            return Err("no part represents the state before the step".into());
        }
        let mut post = Post::default();
        let mut done = Ok(());
        let is_whole = parts.len() == 1;
        for part in parts {
            done = done.and(self.whole.transfer(part, &step, &mut NoAnswers, &mut post));
        }
        self.guesses.chosen.clear();
        let effects = self.machine.step(&mut self.theirs, thread, edge, &mut self.guesses);
        if let Err(unknown) = done {
            *tally.unknowns.entry(unknown.describe().to_owned()).or_default() += 1;
            return Ok(false);
        }
        if matches!(effects.ending, Some(Ending::Unsupported(_) | Ending::Limit(_))) {
            return Ok(false);
        }
        // What is printed is not looked at.
        if !matches!(op, Op::Library(_)) {
            violations(&effects, &post.findings, is_whole)?;
        }
        if effects.ending.is_some() {
            return if post.ends || matches!(op, Op::Library(_)) {
                Ok(false)
            } else {
                Err(format!("does not end: {:?}", effects.ending))
            };
        }
        if has_indeterminate(&self.theirs) {
            return Ok(false);
        }
        self.follow(op, post)?;
        Ok(true)
    }

    /// Goes on with a successor that represents the interpreter's state.
    fn follow(&mut self, op: &Op, post: Post<Abstract<'p, D>>) -> Result<(), String> {
        let chosen = self.guesses.chosen.first().copied();
        let choice = if matches!(op, Op::Thread(_) | Op::CompareExchange(_)) { chosen } else { None };
        let mut problems = Vec::new();
        for (mut state, step) in post.successors {
            let theirs = &self.theirs;
            self.whole.0.forget_locks(&mut state.0, |object| theirs.object(object).life != Life::Live);
            match self.differs(&state) {
                _ if step.choice != choice => problems.push(format!("chooses {:?}", step.choice)),
                Some(problem) => problems.push(problem),
                None => {
                    self.ours = state;
                    return Ok(());
                }
            }
        }
        Err(format!("no successor for choice {choice:?}: {}", problems.join("; ")))
    }

    /// What is wrong with a state, if it does not represent the interpreter's.
    fn differs(&mut self, ours: &Abstract<'p, D>) -> Option<String> {
        if !contain::control(&self.whole.0, &ours.0, &self.theirs) {
            return Some("control differs".into());
        }
        contain::pointers(&ours.1.0, &self.theirs)
            .and_then(|()| contain::numbers(&mut self.whole.1.1, &ours.1.1, &self.theirs))
            .err()
    }

    /// Now and then the set grows by one that was seen before. Law: a join covers both.
    fn join(&mut self, seen: &mut Seen, tally: &mut Tally) -> Result<(), String> {
        // With canonical names, which are not the interpreter's.
        let mut copy = self.ours.clone();
        let stored = self.whole.store(&mut copy);
        let mut again = self.whole.load(stored);
        if self.whole.store(&mut again) != stored {
            return Err("what was stored comes back as something else".into());
        }
        let numbers = &mut self.whole.1.1;
        let key = numbers.store(&mut self.ours.1.1);
        let seen = seen.entry((stored.0, stored.1.0)).or_default();
        if self.guesses.random.once_in(2) && !seen.is_empty() {
            let other = *self.guesses.random.pick(&seen[..]);
            if let Some(joined) = numbers.merge(key, other, 1) {
                tally.joins += u64::from(joined != key);
                if !numbers.leq(key, joined) || !numbers.leq(other, joined) {
                    return Err("a join does not cover what was joined".into());
                }
                self.ours.1.1 = numbers.load(joined);
            }
        }
        seen.push(key);
        Ok(())
    }
}

/// What happens is found, and what is sure to happen does.
fn violations(effects: &Effects, found: &[Finding], is_whole: bool) -> Result<(), String> {
    let known = |violation: &&Violation| {
        matches!(violation, Violation::Overflow | Violation::Error(_) | Violation::InvalidAccess)
    };
    for violation in effects.violations.iter().filter(known) {
        if !found.iter().any(|finding| finding.violation == *violation) {
            return Err(format!("not found: {violation:?}"));
        }
    }
    let sure = found.iter().filter(|finding| finding.sure && is_whole).map(|finding| finding.violation);
    for violation in sure.filter(|violation| known(&violation)) {
        if !effects.violations.contains(&violation) {
            return Err(format!("said to be sure: {violation:?}"));
        }
    }
    Ok(())
}

/// What an indeterminate pointer is, the interpreter decides a step earlier than analyses do: such runs are not followed in step, but
/// verdicts about them are compared elsewhere.
fn has_indeterminate(state: &State) -> bool {
    state.objects.iter().any(|object| matches!(object.kind, ObjectKind::Indeterminate(_)))
}

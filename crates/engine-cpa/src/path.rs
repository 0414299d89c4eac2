//! The feasibility of an abstract path: inputs are looked for that lead the interpreter along it.

use std::collections::VecDeque;

use analyses::memory::value::{Operand, Symbols};
use analyses::memory::{Memory, Symbol};
use analyses::system::SystemState;
use analyses::{Control, Post, Reduction, Step, System, Threads};
use base::Alarm;
use facts::range::Range;
use fastrand::Rng;
use program::{Input, Program, Scalar};
use semantics::{Environment, Machine, Trace, TraceStep};
use smallvec::SmallVec;
use spec::{Automaton, Monitor};
use verify::Target;

/// So many cases of split values are followed along a path at once.
const MOST_WAYS: usize = 32;

/// What is to be reached; a specification is reached in an error state of the automaton.
pub type Goal<'g> = (Target, Option<&'g Automaton>);

/// A run that reaches the target.
pub struct Found {
    pub trace: Trace,
    /// It rests on behaviour that only an imprecise model has.
    pub imprecise: bool,
}

/// Looks for inputs with which the program goes along the steps and reaches the goal, at the last step or behind it; a
/// specification's error also before. When the alarm strikes, no more are tried.
pub fn realize(machine: &Machine<'_>, goal: Goal<'_>, steps: &[Step], tries: u32, alarm: &Alarm) -> Option<Found> {
    let (first, has_inputs) = attempt(machine, goal, steps, &[]);
    // Without inputs there is one run only.
    if first.is_some() || !has_inputs {
        return first;
    }
    let cases = follow(machine.program, steps, alarm);
    let mut random = Rng::with_seed(steps.len() as u64);
    for i in 0..tries {
        for known in &cases {
            if alarm.struck().is_some() {
                return None;
            }
            if let Some(values) = assign(known, i, &mut random)
                && let (Some(found), _) = attempt(machine, goal, steps, &values)
            {
                return Some(found);
            }
        }
    }
    None
}

/// What is known of the inputs behind a path; behind its last step if that has a state.
struct Constraints {
    symbols: Symbols,
    inputs: Vec<(u32, Symbol)>,
}

fn follow(program: &Program, steps: &[Step], alarm: &Alarm) -> Vec<Constraints> {
    let (threads, data) = (Threads::new(program), Memory::for_path(program));
    let mut system = System::new(program, threads, data, Reduction::None, None);
    let Ok((initial, _)) = system.initial() else { return Vec::new() };
    let mut states = vec![initial];
    for step in steps {
        if alarm.struck().is_some() {
            return Vec::new();
        }
        let mut next = Vec::new();
        for state in &states {
            if system.threads().function(&state.0, step.thread) != step.function {
                continue;
            }
            let mut post = Post::default();
            if system.step(state.clone(), step.thread, step.edge, &mut post).is_ok() {
                let fitting = post.successors.into_iter().filter(|(_, taken)| fits(taken, step));
                next.extend(fitting.map(|(state, _)| state));
            }
        }
        next.truncate(MOST_WAYS);
        if next.is_empty() {
            break;
        }
        states = next;
    }
    let known =
        |(_, (data, _)): SystemState<Memory<'_>>| Constraints { symbols: (*data.symbols).clone(), inputs: data.inputs };
    states.into_iter().map(known).collect()
}

/// Is it the successor that the path has?
pub fn fits(taken: &Step, wanted: &Step) -> bool {
    match wanted.control {
        Control::Wake { .. } | Control::Call(_) => taken.control == wanted.control,
        _ => taken.choice == wanted.choice,
    }
}

/// Values for the inputs, by thread and in order, that agree with all that is known.
fn assign(known: &Constraints, attempt: u32, random: &mut Rng) -> Option<Vec<(u32, u64)>> {
    let mut symbols = known.symbols.clone();
    let mut values = Vec::with_capacity(known.inputs.len());
    for (thread, symbol) in &known.inputs {
        let value = match symbols.resolve(Operand::Symbol(*symbol)) {
            Operand::Bits(bits) => bits,
            Operand::Symbol(symbol) => match symbols.info(symbol).range {
                None => {
                    if attempt == 0 {
                        0
                    } else {
                        random.u64(..)
                    }
                }
                Some(range) => {
                    let fits = |value: &u64| {
                        let mut tried = symbols.clone();
                        tried.narrow(symbol, Range::constant(range.bits(), *value)).then_some((tried, *value))
                    };
                    let (tried, value) = candidates(range, attempt, random).iter().find_map(fits)?;
                    symbols = tried;
                    value
                }
            },
        };
        values.push((*thread, value));
    }
    Some(values)
}

/// Members of a range to try, simple ones first; later attempts begin elsewhere.
fn candidates(range: Range, attempt: u32, random: &mut Rng) -> SmallVec<[u64; 12]> {
    let mask = if range.bits() == 64 { u64::MAX } else { (1 << range.bits()) - 1 };
    let mut all: SmallVec<[u64; 12]> = SmallVec::new();
    let (low, high) = (range.min_signed(), range.max_signed());
    let bounds = [0, 1, low, high, low.wrapping_add(1), high.wrapping_sub(1), -1, 2];
    all.extend(bounds.into_iter().map(|value| value as u64 & mask));
    all.extend([range.min_unsigned(), range.max_unsigned()]);
    if high > low {
        all.extend((0..2).map(|_| random.i64(low..=high) as u64 & mask));
    }
    all.retain(|value| range.contains(*value));
    if attempt > 0 && !all.is_empty() {
        let first = random.usize(..all.len());
        all.rotate_left(first);
    }
    all
}

/// Follows the steps with the interpreter; says whether it read inputs. Those that are not given are zero.
fn attempt(machine: &Machine<'_>, goal: Goal<'_>, steps: &[Step], values: &[(u32, u64)]) -> (Option<Found>, bool) {
    let mut feed = Feed::default();
    let found = follow_exactly(machine, goal, steps, values, &mut feed);
    (found, feed.is_used)
}

fn follow_exactly(
    machine: &Machine<'_>,
    (target, automaton): Goal<'_>,
    steps: &[Step],
    values: &[(u32, u64)],
    feed: &mut Feed,
) -> Option<Found> {
    for (thread, value) in values {
        feed.queue(*thread).push_back(*value);
    }
    let mut state = machine.initial(feed);
    let mut trace = Trace { start: std::mem::take(&mut feed.made), steps: Vec::with_capacity(steps.len()) };
    let mut last = semantics::Effects::default();
    let mut monitor = match (target, automaton) {
        (Target::Specification, Some(automaton)) => Some(Monitor::new(machine, automaton, &state)),
        _ => None,
    };
    let errs = |monitor: &Option<Monitor<'_, '_>>| monitor.as_ref().is_some_and(|f| f.reached().is_some());
    for step in steps {
        if errs(&monitor) {
            break;
        }
        if last.ending.is_some() || step.thread as usize >= state.threads.len() {
            return None;
        }
        let thread = semantics::ThreadId(step.thread);
        if machine.next(&state, thread).edge() != Some(step.edge) {
            return None;
        }
        (feed.thread, feed.choice) = (step.thread, choice(&state, step));
        monitor.iter_mut().for_each(|monitor| monitor.before(&state, thread, step.edge));
        last = machine.step(&mut state, thread, step.edge, feed);
        trace.steps.push(TraceStep { thread, edge: step.edge, choices: std::mem::take(&mut feed.made) });
        monitor.iter_mut().for_each(|monitor| monitor.after(&state, &last));
    }
    (errs(&monitor) || target.is_shown(machine, &state, &last)).then_some(Found { trace, imprecise: feed.imprecise })
}

/// What the interpreter must choose: who is woken is given by its place among the waiters.
fn choice(state: &semantics::State, step: &Step) -> Option<u32> {
    let Control::Wake { thread } = step.control else { return step.choice };
    let (before, rest) = state.threads.split_at_checked(thread as usize)?;
    let woken = rest.first()?;
    Some(before.iter().filter(|other| other.sleeping == woken.sleeping).count() as u32)
}

/// Gives the interpreter the inputs that were found.
#[derive(Default)]
struct Feed {
    values: Vec<VecDeque<u64>>,
    thread: u32,
    choice: Option<u32>,
    made: Vec<u128>,
    is_used: bool,
    imprecise: bool,
}

impl Feed {
    fn queue(&mut self, thread: u32) -> &mut VecDeque<u64> {
        if self.values.len() <= thread as usize {
            self.values.resize_with(thread as usize + 1, VecDeque::new);
        }
        &mut self.values[thread as usize]
    }
}

impl Environment for Feed {
    fn input(&mut self, ty: Scalar, why: Input) -> u128 {
        self.is_used = true;
        let thread = self.thread;
        let value = u128::from(self.queue(thread).pop_front().unwrap_or(0)) & semantics::mask(ty);
        self.imprecise |= why.is_imprecise(value);
        self.made.push(value);
        value
    }

    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.choice.take().unwrap_or(0).min(options - 1);
        self.made.push(choice.into());
        choice
    }

    fn print(&mut self, _: &[u8]) {}
}

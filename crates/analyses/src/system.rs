//! The transition system of threads and data: which steps are possible at a state, what they do, and which of them suffice by
//! partial-order reduction (source sets, see [`por`]).

mod action;
mod follow;
mod symmetry;

use base::{Alarm, Idx};
use facts::blocks::{Circumstances, Mover};
use facts::{Facts, Movers};
use por::{Action, RemainingEffects, RemainingId, View};
use program::{EdgeId, End, FunctionId, Location, Op, Program, ThreadOp};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::analysis::{Analysis, Answers, InPlace, States};
use crate::monitor::{self, Monitored};
use crate::product::Product;
use crate::step::{Advance, Control, Finding, Known, NoAnswers, Post, Queries, Step, Unknown};
use crate::threads::{self, Next, Threads};

/// Which steps of a state are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reduction {
    /// All.
    None,
    /// Those of one thread whose next step is local by the facts, else all.
    LocalGlobal,
    /// Those of a source set: no step that other threads may make before is dependent on them, by the facts and the state's addresses.
    Source,
}

/// A state of threads and data, and of the monitor automaton.
pub type SystemState<D> = (threads::ControlState, monitor::MonitoredState<D>);
pub type Key<D> = (u32, monitor::Key<D>);

/// The transition system of threads and data.
pub struct System<'p, D> {
    pub program: &'p Program,
    pub both: Product<Threads<'p>, Monitored<'p, D>>,
    pub reduction: Reduction,
    /// No more threads are created than this; whether that left some out.
    pub most_threads: Option<u32>,
    pub is_cut: bool,
    /// Threads are renamed in states that are stored.
    symmetry: bool,
    alarm: Alarm,
    remaining: Option<RemainingEffects>,
    /// For each function and edge: a left mover that cannot fail, by the facts.
    local: Vec<Box<[bool]>>,
    /// For each function and edge: it is visible to the automaton. None if there is no automaton.
    visible: Vec<Box<[bool]>>,
    /// By stack and location.
    known_remaining: FxHashMap<(u32, Location), RemainingId>,
}

/// The successors by a thread's step, and by the steps after it that are the only ones needed.
#[derive(Debug)]
pub struct Expansion<S> {
    pub arrivals: SmallVec<[(S, Path); 1]>,
    /// What was found, by the steps up to it.
    pub findings: Vec<(Finding, Path)>,
    /// Paths on which the specification may come to an error.
    pub errors: Vec<Path>,
    /// Runs may end with the first step.
    pub ends: bool,
    /// Some of what may happen was not followed, at the last of these steps.
    pub missing: Option<(Unknown, Path)>,
}

/// A step that was made in place.
pub struct Made<D: Analysis> {
    pub step: Step,
    before: Before<D>,
    /// The state need not be given other names before it is stored.
    pub keeps_names: bool,
}

type Before<D> = (threads::Before, <D as InPlace>::Before);

pub type Path = SmallVec<[Step; 2]>;

/// States on paths.
type Work<D> = SmallVec<[(SystemState<D>, Path); 1]>;

/// Longer paths without a choice are cut: a state in between is kept.
const LONGEST: usize = 2000;
/// If there are more paths, each is cut where it is: where values are split again and again, they multiply.
const MOST_PATHS: usize = 64;

impl<'p, D: Analysis> System<'p, D> {
    pub fn new(
        program: &'p Program,
        threads: Threads<'p>,
        data: D,
        reduction: Reduction,
        facts: Option<&Facts>,
    ) -> Self {
        let movers = facts.map(|facts| facts.movers(program));
        let remaining = match (facts, &movers) {
            (Some(facts), Some(movers)) if reduction == Reduction::Source => {
                Some(RemainingEffects::with_movers(program, facts, movers))
            }
            _ => None,
        };
        let local = program.functions.iter_enumerated().map(|(id, function)| {
            let edges = function.edges.iter_enumerated();
            edges.map(|(edge, e)| movers.as_ref().is_some_and(|movers| is_local(movers, id, edge, &e.op))).collect()
        });
        let local = local.collect();
        System {
            program,
            both: Product(threads, Monitored::new(program, data)),
            reduction: if facts.is_some() { reduction } else { Reduction::None },
            most_threads: None,
            is_cut: false,
            symmetry: false,
            alarm: Alarm::default(),
            remaining,
            local,
            visible: Vec::new(),
            known_remaining: FxHashMap::default(),
        }
    }

    pub fn threads(&self) -> &Threads<'p> {
        &self.both.0
    }

    pub fn data(&mut self) -> &mut D {
        &mut self.both.1.data
    }

    /// The key of the state that is kept instead of one that is stored.
    pub fn enlarge(&mut self, state: &mut SystemState<D>, (threads, (data, monitor)): Key<D>) -> Key<D> {
        let around = self.both.0.around(&state.0);
        let enlarged = self.both.1.enlarge(&mut state.1, &around);
        (threads, (if enlarged { self.data().store(&mut state.1.0) } else { data }, monitor))
    }

    /// From now on, long paths are cut when a limit is reached.
    pub fn limit(&mut self, alarm: &Alarm) {
        self.alarm = alarm.clone();
        self.both.limit(alarm);
    }

    pub fn alarm(&self) -> &Alarm {
        &self.alarm
    }

    /// What every thread may do next.
    pub fn next(&mut self, state: &SystemState<D>) -> Result<Vec<Next>, Unknown> {
        let Product(threads, data) = &mut self.both;
        threads.next_of_all(&state.0, &mut Data { data, state: &state.1 })
    }

    /// If it is not known what threads may do next: states that together cover this one, in which more is known. `None` if there
    /// are too many.
    pub fn parts(&mut self, state: &SystemState<D>) -> Option<Vec<SystemState<D>>> {
        for thread in 0..self.both.0.threads(&state.0) as u32 {
            if self.both.0.is_finished(&state.0, thread) {
                continue;
            }
            let (function, location) = (self.both.0.function(&state.0, thread), self.both.0.location(&state.0, thread));
            let Some((edge, _)) = self.program.functions[function].edges_from(location).next() else { continue };
            let mut parts = Vec::new();
            let missing = self.both.prepare(state.clone(), &self.plain_step(state, thread, edge), &mut parts);
            if missing.is_none() && parts.len() > 1 {
                return Some(parts);
            }
        }
        None
    }

    /// The threads of which one makes the next step.
    pub fn enabled(&self, state: &SystemState<D>, next: &[Next]) -> SmallVec<[usize; 8]> {
        self.both.0.enabled_among(&state.0, next)
    }

    /// The threads whose steps suffice, of those enabled.
    pub fn choose(&mut self, state: &SystemState<D>, next: &[Next], enabled: &[usize]) -> SmallVec<[usize; 8]> {
        if self.reduction == Reduction::None || enabled.len() <= 1 {
            return enabled.into();
        }
        let local_first = por::local_global(enabled, |thread| self.is_local(state, thread, &next[thread]));
        if self.reduction == Reduction::LocalGlobal || local_first.len() == 1 {
            return local_first;
        }
        let views = self.views(state, next, enabled);
        let remaining = self.remaining.as_mut().expect("made with the reduction");
        por::source_set(remaining, &views)
    }

    /// Is a choice of threads one that suffices?
    pub fn suffices(&mut self, state: &SystemState<D>, next: &[Next], enabled: &[usize], chosen: &[usize]) -> bool {
        if chosen == enabled {
            return true;
        }
        if self.reduction == Reduction::None {
            return false;
        }
        if let [one] = chosen
            && enabled.contains(one)
            && self.is_local(state, *one, &next[*one])
        {
            return true;
        }
        let views = self.views(state, next, enabled);
        self.remaining.as_mut().is_some_and(|remaining| por::is_closed(remaining, &views, chosen))
    }

    /// Is the next step a left mover that cannot fail, by the facts, and invisible to the automaton?
    fn is_local(&self, state: &SystemState<D>, thread: usize, next: &Next) -> bool {
        let Next::Steps(edges) = next else { return false };
        let function = self.both.0.function(&state.0, thread as u32);
        edges.iter().all(|edge| self.local[function.0 as usize][edge.0 as usize])
            && !self.is_visible(state, thread, next)
    }

    pub fn views(&mut self, state: &SystemState<D>, next: &[Next], enabled: &[usize]) -> Vec<View> {
        (0..next.len()).map(|thread| self.view(state, next, enabled, thread)).collect()
    }

    fn view(&mut self, state: &SystemState<D>, next: &[Next], enabled: &[usize], thread: usize) -> View {
        let finished = next[thread] == Next::Finished;
        let is_enabled = enabled.contains(&thread);
        let waits_for = match &next[thread] {
            Next::Blocked(on) => on.iter().map(|thread| thread.0 as usize).collect(),
            // Held back by another's atomic section.
            Next::Steps(_) | Next::Spurious(_) if !is_enabled => enabled.iter().copied().collect(),
            _ => SmallVec::new(),
        };
        let remaining = self.remaining_of(state, thread as u32);
        let enabled = is_enabled;
        let action = match finished {
            true => Action::Local,
            false if enabled && self.is_local(state, thread, &next[thread]) => Action::Local,
            // Its order with what others do matters.
            false if enabled && self.is_visible(state, thread, &next[thread]) => Action::Everything,
            false => self.action(state, thread as u32),
        };
        View { action, enabled, waits_for, finished, remaining }
    }

    fn remaining_of(&mut self, state: &SystemState<D>, thread: u32) -> RemainingId {
        let Some(remaining) = &mut self.remaining else { return RemainingId(0) };
        let threads = &self.both.0;
        if threads.is_finished(&state.0, thread) {
            return remaining.of(std::iter::empty());
        }
        let key = (threads.stack_number(&state.0, thread), threads.location(&state.0, thread));
        *self.known_remaining.entry(key).or_insert_with(|| remaining.of(threads.frames(&state.0, thread)))
    }

    /// Makes a thread's next step in place if only one is possible and its only successor is found quickly.
    pub fn advance(&mut self, state: &mut SystemState<D>, thread: usize, next: &Next) -> Option<Made<D>> {
        let edge = self.only_edge(state, thread as u32, next)?;
        let step = self.plain_step(state, thread as u32, edge);
        let Advance { control, before, keeps_names } = self.both.advance(state, &step, &mut NoAnswers)?;
        Some(Made { step: Step { control, ..step }, before, keeps_names })
    }

    pub fn take_back(&mut self, state: &mut SystemState<D>, made: Made<D>) {
        self.both.take_back(state, made.step.thread, made.before);
    }

    /// The key of a state whose objects have the right names.
    pub fn store_named(&mut self, state: &mut SystemState<D>) -> Key<D> {
        let Product(threads, data) = &mut self.both;
        (threads.store(&mut state.0), data.store(&mut state.1))
    }

    /// The edge that is left when branches are taken away whose condition does not hold.
    fn only_edge(&mut self, state: &SystemState<D>, thread: u32, next: &Next) -> Option<EdgeId> {
        let edges = next.edges()?;
        if edges.first == edges.last {
            return Some(edges.first);
        }
        let mut left = edges.iter().filter(|edge| !self.is_refuted(state, thread, *edge));
        let only = left.next()?;
        left.next().is_none().then_some(only)
    }

    /// All that one thread's next step may lead to. Where the reduction leaves one thread only, that is followed at once, as long as
    /// no loop is closed.
    pub fn expand(
        &mut self,
        mut state: SystemState<D>,
        thread: usize,
        next: &Next,
    ) -> Result<Expansion<SystemState<D>>, Unknown> {
        let mut expansion = Expansion {
            arrivals: SmallVec::new(),
            findings: Vec::new(),
            errors: Vec::new(),
            ends: false,
            missing: None,
        };
        let mut work: Work<D> = SmallVec::new();
        match self.advance(&mut state, thread, next) {
            Some(made) => work.push((state, smallvec![made.step])),
            None => expansion.ends = self.one_step(state, thread, next, Path::new(), &mut work, &mut expansion)?,
        }
        while let Some((mut state, mut path)) = work.pop() {
            let paths = expansion.arrivals.len() + work.len();
            let forced = if paths < MOST_PATHS { self.forced_on(&mut state, &mut path) } else { None };
            let Some((thread, next)) = forced else {
                expansion.arrivals.push((state, path));
                continue;
            };
            // Where a run may end or is not understood, others must be looked at, too: the state is kept then.
            let is_sure = self.both.is_exact(&state) && self.both.keeps_all();
            let cannot = is_sure && self.is_local(&state, thread, &next);
            let spare = (!cannot).then(|| (state.clone(), path.clone()));
            let (before, found, errors) = (work.len(), expansion.findings.len(), expansion.errors.len());
            let went_on = self.one_step(state, thread, &next, path, &mut work, &mut expansion);
            if !matches!(went_on, Ok(false)) || work.len() == before {
                work.truncate(before);
                expansion.findings.truncate(found);
                expansion.errors.truncate(errors);
                match spare {
                    Some(spare) => expansion.arrivals.push(spare),
                    None => {
                        return Err(went_on.err().unwrap_or(Unknown::Imprecise("a step ends against the facts")));
                    }
                }
            }
        }
        Ok(expansion)
    }

    /// Goes on in place as long as that is possible; the one thread that goes on then.
    fn forced_on(&mut self, state: &mut SystemState<D>, path: &mut Path) -> Option<(usize, Next)> {
        loop {
            let (thread, next) = self.forced(state, path)?;
            match self.advance(state, thread, &next) {
                Some(made) => path.push(made.step),
                None => return Some((thread, next)),
            }
        }
    }

    /// The one thread that goes on, if it is clear that no other needs to.
    fn forced(&mut self, state: &SystemState<D>, path: &Path) -> Option<(usize, Next)> {
        if self.reduction == Reduction::None || path.len() >= LONGEST || self.alarm.struck().is_some() {
            return None;
        }
        // Most often the thread that moved has more to do on its own.
        let last = path.last()?.thread as usize;
        let threads = &self.both.0;
        if !threads.is_finished(&state.0, last as u32) && threads.atomic(&state.0).is_none_or(|t| t as usize == last) {
            if self.is_at_head(state, last) {
                return None;
            }
            let Product(threads, data) = &mut self.both;
            let next = threads.next(&state.0, last as u32, &mut Data { data, state: &state.1 }).ok()?;
            if self.is_local(state, last, &next) {
                return Some((last, next));
            }
        }
        let next = self.next(state).ok()?;
        if self.shows_target(state, &next) {
            return None;
        }
        let enabled = self.enabled(state, &next);
        match self.choose(state, &next, &enabled)[..] {
            [one] if !self.is_visible(state, one, &next[one]) && !self.is_at_head(state, one) => {
                Some((one, next[one].clone()))
            }
            _ => None,
        }
    }

    /// Would a thread that goes on close a loop, perhaps?
    fn is_at_head(&self, state: &SystemState<D>, thread: usize) -> bool {
        let (threads, thread) = (&self.both.0, thread as u32);
        self.program.functions[threads.function(&state.0, thread)].is_loop_head(threads.location(&state.0, thread))
    }

    /// Must the state be kept, for its only step removes what it shows (a race or a deadlock)? A waiter that no thread will signal
    /// wakes, a lock of another thread is released; or a thread inside its atomic section accesses what another is about to access.
    fn shows_target(&mut self, state: &SystemState<D>, next: &[Next]) -> bool {
        let in_section = self.both.0.atomic(&state.0).is_some();
        threads::is_deadlock(next) || in_section && !matches!(self.race(state, next), Ok(None))
    }

    /// True if runs may end.
    fn one_step(
        &mut self,
        state: SystemState<D>,
        thread: usize,
        next: &Next,
        mut path: Path,
        work: &mut Work<D>,
        expansion: &mut Expansion<SystemState<D>>,
    ) -> Result<bool, Unknown> {
        let Some(edges) = next.edges() else { return Ok(false) };
        let mut edges: SmallVec<[EdgeId; 2]> = edges.iter().collect();
        if edges.len() > 1 {
            edges.retain(|edge| !self.is_refuted(&state, thread as u32, *edge));
        }
        let function = self.both.0.function(&state.0, thread as u32);
        let (mut state, mut ends) = (Some(state), false);
        for (i, edge) in edges.iter().enumerate() {
            // The last one needs them no longer.
            let is_last = i + 1 == edges.len();
            let own = if is_last { state.take() } else { state.clone() };
            let mut post = Post::default();
            self.step(own.expect("taken by the last one"), thread as u32, *edge, &mut post)?;
            ends |= post.ends;
            if let (None, Some(missing)) = (&expansion.missing, post.missing) {
                let mut path = path.clone();
                path.push(Step { thread: thread as u32, function, edge: *edge, choice: None, control: Control::Open });
                expansion.missing = Some((missing, path));
            }
            for finding in post.findings {
                let mut path = path.clone();
                path.push(Step { thread: thread as u32, function, edge: *edge, choice: None, control: Control::Open });
                expansion.findings.push((finding, path));
            }
            for step in post.errors {
                let mut path = path.clone();
                path.push(step);
                expansion.errors.push(path);
            }
            let last = post.successors.len().saturating_sub(1);
            for (j, (state, step)) in post.successors.into_iter().enumerate() {
                let mut path = if is_last && j == last { std::mem::take(&mut path) } else { path.clone() };
                path.push(step);
                work.push((state, path));
            }
        }
        Ok(ends)
    }

    /// A branch whose condition is known not to hold: no need to try.
    fn is_refuted(&mut self, state: &SystemState<D>, thread: u32, edge: EdgeId) -> bool {
        let function = self.both.0.function(&state.0, thread);
        match self.program.functions[function].edges[edge].op {
            Op::Assume(condition) => self.both.1.value(&state.1, thread, function, condition) == Known::Bits(0),
            _ => false,
        }
    }

    fn plain_step(&self, state: &SystemState<D>, thread: u32, edge: EdgeId) -> Step {
        let function = self.both.0.function(&state.0, thread);
        Step { thread, function, edge, choice: None, control: Control::Open }
    }

    /// One edge of one thread.
    pub fn step(
        &mut self,
        state: SystemState<D>,
        thread: u32,
        edge: EdgeId,
        post: &mut Post<SystemState<D>>,
    ) -> Result<(), Unknown> {
        let step = self.plain_step(&state, thread, edge);
        // A path may be replayed in a state that another path leads to.
        if edge.index() >= self.program.functions[step.function].edges.len() {
            return Ok(());
        }
        let op = &self.program.functions[step.function].edges[edge].op;
        let creates = matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }));
        if creates && self.most_threads.is_some_and(|most| self.both.0.threads(&state.0) >= most as usize) {
            self.is_cut = true;
            post.missing = Some(Unknown::TooLarge("more threads are created"));
            return Ok(());
        }
        let names = match op {
            Op::Thread(_) => true,
            Op::Call(call) => matches!(call.callee, program::Callee::Indirect(_)),
            _ => false,
        };
        // Where all is known there is nothing to make known.
        if D::QUERIES_OTHERS || names && !(self.both.is_exact(&state) && self.both.keeps_all()) {
            let mut prepared = Vec::new();
            let missing = self.both.prepare(state, &step, &mut prepared);
            if post.missing.is_none() {
                post.missing = missing;
            }
            for state in prepared {
                self.follow_step(state, &step, post)?;
            }
            return Ok(());
        }
        self.follow_step(state, &step, post)
    }

    /// The step with which the program returns from `main`, if it may be the next.
    pub fn return_from_main(&self, state: &SystemState<D>, next: &[Next]) -> Option<Step> {
        self.enabled(state, next).into_iter().find_map(|thread| {
            let Next::Steps(edges) = next[thread] else { return None };
            let function = self.both.0.function(&state.0, thread as u32);
            let op = &self.program.functions[function].edges[edges.first].op;
            (*op == Op::End(End::Return)).then(|| self.plain_step(state, thread as u32, edges.first))
        })
    }

    /// May the program end here in order?
    pub fn may_return(&self, state: &SystemState<D>, next: &[Next]) -> bool {
        next.iter().all(|next| *next == Next::Finished) || self.return_from_main(state, next).is_some()
    }

    /// Two threads whose next accesses race. Accesses that the facts show to be apart from all others are left out.
    pub fn race(&mut self, state: &SystemState<D>, next: &[Next]) -> Result<Option<(usize, usize)>, Unknown> {
        let mut accesses: SmallVec<[(usize, Option<por::Touch>); 4]> = SmallVec::new();
        for (thread, next) in next.iter().enumerate() {
            if next.edges().is_some() && !self.is_local(state, thread, next) {
                match self.accesses(state, thread as u32) {
                    Some(touches) => accesses.extend(touches.into_iter().map(|touch| (thread, Some(touch)))),
                    None => accesses.push((thread, None)),
                }
            }
        }
        let in_section = |thread: usize| self.both.0.in_section(&state.0, thread as u32);
        let mut unknown = false;
        for (i, (first, a)) in accesses.iter().enumerate() {
            for (second, b) in &accesses[i + 1..] {
                if first == second || in_section(*first) && in_section(*second) {
                    continue;
                }
                match (a, b) {
                    (Some(a), Some(b)) if races(a, b) => return Ok(Some((*first, *second))),
                    (Some(_), Some(_)) => {}
                    _ => unknown = true,
                }
            }
        }
        match unknown {
            true => Err(Unknown::Imprecise("what an access touches is not known")),
            false => Ok(None),
        }
    }
}

fn races(a: &por::Touch, b: &por::Touch) -> bool {
    let end = |touch: &por::Touch| touch.start.saturating_add_unsigned(touch.length);
    a.object == b.object && a.start < end(b) && b.start < end(a) && (a.write || b.write) && !(a.atomic && b.atomic)
}

/// Left movers that cannot fail: as long as one is next, no thread makes a step that depends on it.
fn is_local(movers: &Movers, function: FunctionId, edge: EdgeId, op: &Op) -> bool {
    let moves = matches!(movers.mover(function, edge), Mover::Left | Mover::Both);
    moves && !movers.may_fail(function, edge) && !matches!(op, Op::End(_) | Op::Unsupported(_) | Op::AtomicBegin)
}

/// Queries of threads are answered by data.
struct Data<'a, D: Analysis> {
    data: &'a mut D,
    state: &'a D::State,
}

impl<D: Analysis> Queries for Data<'_, D> {
    fn value(&mut self, thread: u32, function: FunctionId, expr: program::ExprId) -> Known {
        self.data.value(self.state, thread, function, expr)
    }

    fn specific(&mut self, thread: u32, key: u32) -> Known {
        self.data.specific(self.state, thread, key)
    }

    fn is_alive(&mut self, pointer: semantics::Pointer, size: u64) -> bool {
        self.data.is_alive(self.state, pointer, size)
    }
}

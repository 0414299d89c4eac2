//! The search (the CPA algorithm of Beyer, Henzinger and Théoduloz, CAV 2007): states are taken from the waitlist and expanded until
//! none is left, a target is reached, or a limit strikes. Sleep sets (Godefroid, 1996) leave out steps whose order does not matter.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use analyses::intern::Lists;
use analyses::symmetry::Order;
use analyses::system::{Key, Made, SystemState};
use analyses::threads::{self, Next};
use analyses::{Analysis, Answers, Evidence, Kept, Product, ReachedSet, Reduction, States, Step, System, Unknown};
use base::{Alarm, Budget};
use facts::Facts;
use por::{Sleep, View};
use program::{FunctionId, Location};
use semantics::Machine;
use smallvec::SmallVec;
use verify::{Observer, Reason, Statistic, Statistics, Summary, Target, Targets};

use crate::names::{Names, Taken};
use crate::path::{Found, realize};
use crate::reached::{Reached, Seen};
use crate::waitlist::Waitlist;
use crate::{Join, Options};

/// A state of the search, and how it was reached.
struct Node<K> {
    key: K,
    /// Itself if it is the first one.
    parent: u32,
    /// Where its steps from the parent begin in the list of all steps; they end where those of the next node begin.
    steps: u32,
    /// Behind them threads were put in this order, in the list of all orders.
    order: u32,
    /// The list of threads whose steps were made, if not all were.
    chosen: u32,
    /// Joined so many times.
    joins: u32,
    is_exact: bool,
    /// Joined into another one.
    is_gone: bool,
    /// A part of another state: never joined, for the result would cover the whole again.
    is_part: bool,
    is_expanded: bool,
}

/// All threads made their steps.
const ALL: u32 = u32::MAX;

/// With sleep sets, what else belongs to a node: threads whose steps are not made, for their order with others does not matter;
/// those of them that were left out; and those that are to be made after all, if the state was expanded before.
#[derive(Default)]
struct Asleep {
    sleep: Sleep,
    left_out: Sleep,
    again: Option<Sleep>,
}

pub struct Explorer<'t, 'p, D: Analysis> {
    pub system: System<'p, D>,
    machine: &'t Machine<'p>,
    targets: Targets,
    options: Options,
    nodes: Vec<Node<Key<D>>>,
    /// One for each node, if there are sleep sets.
    asleep: Vec<Asleep>,
    /// The lists of threads whose steps were made.
    choices: Lists,
    steps: Vec<Taken>,
    /// The first one leaves threads as they are.
    orders: Lists,
    reached: Reached,
    waitlist: Waitlist,
    unknown: Option<Unknown>,
    /// A target that was seen without a run that shows it.
    candidate: Option<Reason>,
    /// Paths to a target along which no run was found.
    failed: u32,
    transitions: u64,
    /// Steps left out because their threads slept; nodes before this one have none any more.
    slept: u64,
    woken: usize,
    /// The search ends at the first obstacle.
    pub stops: bool,
    obstacle: Option<Obstacle>,
    /// It pauses when this part of the time is used.
    pub pause: Option<f64>,
}

/// Where the abstraction is too coarse: behind these steps, for the next steps of the threads ahead, or if none is named, of all.
pub struct Obstacle {
    pub steps: Vec<Step>,
    pub ahead: Vec<u32>,
    pub reason: Reason,
}

/// Progress is reported so often.
const LOOK: Duration = Duration::from_millis(10);
/// Without a limit of time, so many states are a part of it.
const PATIENCE: usize = 300_000;

/// The result of a search.
pub enum Ended {
    Found(Target, Box<Found>),
    /// All states were seen, without a target.
    Complete,
    Open(Reason),
    Obstacle(Box<Obstacle>),
    /// It can go on.
    Paused,
}

impl Ended {
    /// No answer, though no limit struck, nor a bound on threads.
    pub fn leaves_open(&self, is_cut: bool) -> bool {
        match self {
            Ended::Paused => true,
            Ended::Open(
                Reason::Unsupported(_) | Reason::Imprecise(_) | Reason::TooLarge(_) | Reason::Unrealized(_),
            ) => !is_cut,
            _ => false,
        }
    }
}

fn reason(unknown: &Unknown) -> Reason {
    match unknown {
        Unknown::Unsupported(what) => Reason::Unsupported(what.clone()),
        Unknown::Imprecise(what) => Reason::Imprecise(what),
        Unknown::TooLarge(what) => Reason::TooLarge(what),
    }
}

impl<'t, 'p, D: Analysis> Explorer<'t, 'p, D> {
    pub fn new(system: System<'p, D>, machine: &'t Machine<'p>, targets: Targets, options: Options) -> Self {
        let mut orders = Lists::default();
        orders.number(&[]);
        Explorer {
            system,
            machine,
            targets,
            reached: Reached::new(options.partition),
            waitlist: Waitlist::new(options.strategy, options.seed),
            options,
            nodes: Vec::new(),
            asleep: Vec::new(),
            choices: Lists::default(),
            steps: Vec::new(),
            orders,
            unknown: None,
            candidate: None,
            failed: 0,
            transitions: 0,
            slept: 0,
            woken: 0,
            stops: false,
            obstacle: None,
            pause: None,
        }
    }

    /// Begins, or goes on after a pause. If a bound on threads keeps some from being created, it ends when that part of the time is
    /// used.
    pub fn run(&mut self, budget: &Budget, part: f64, log: &mut dyn Observer) -> Ended {
        self.system.limit(&Alarm::new(budget));
        if self.nodes.is_empty()
            && let Some(end) = self.begin()
        {
            return end;
        }
        let mut looked = Instant::now();
        while let Some(node) = self.waitlist.pop().or_else(|| self.wake()) {
            if self.nodes[node as usize].is_gone {
                continue;
            }
            if let Some(limit) = self.system.alarm().struck() {
                return self.open(Reason::Limit(limit), node);
            }
            if looked.elapsed() > LOOK {
                looked = Instant::now();
                log.progress("states", self.nodes.len() as u64);
                if let Some(pause) = self.pause
                    && budget.progress().map_or(self.nodes.len() > PATIENCE, |used| used > pause)
                {
                    self.waitlist.push(node, 0);
                    return Ended::Paused;
                }
                if self.system.is_cut && budget.progress().is_some_and(|used| used > part) {
                    return Ended::Open(Reason::Count("threads"));
                }
            }
            if self.options.most_states.is_some_and(|most| self.nodes.len() as u64 > most) {
                return self.open(Reason::Count("states"), node);
            }
            if let Some((target, found)) = self.expand(node) {
                return Ended::Found(target, Box::new(found));
            }
            if let Some(obstacle) = self.obstacle.take() {
                return Ended::Obstacle(Box::new(obstacle));
            }
        }
        match (&self.unknown, &self.candidate) {
            (_, Some(reason)) => Ended::Open(reason.clone()),
            (Some(unknown), None) => self.unknown(unknown),
            (None, None) => Ended::Complete,
        }
    }

    fn begin(&mut self) -> Option<Ended> {
        match self.system.initial() {
            Ok((state, errs)) => {
                self.arrive(state, None, &[], Sleep::default());
                let found = errs.then(|| self.realize(0, Target::Specification, &[])).flatten()?;
                Some(Ended::Found(Target::Specification, Box::new(found)))
            }
            Err(unknown) => Some(self.unknown(&unknown)),
        }
    }

    /// The abstraction is too coarse behind a node and some steps more: for the last of them, or for the threads ahead.
    fn unknown_at(&mut self, unknown: Unknown, node: u32, more: &[Step], ahead: &[u32]) {
        if self.stops && self.obstacle.is_none() {
            self.obstacle = Some(self.obstacle(reason(&unknown), node, more, ahead));
        }
        self.unknown.get_or_insert(unknown);
    }

    fn obstacle(&self, reason: Reason, node: u32, more: &[Step], ahead: &[u32]) -> Obstacle {
        let (last, more) = more.split_last().map_or((None, more), |(last, more)| (Some(last.thread), more));
        let (steps, names) = self.path(node, more);
        let ahead = ahead.iter().copied().chain(last).map(|thread| names.name(thread)).collect();
        Obstacle { steps, ahead, reason }
    }

    /// A step is not supported or too coarse, perhaps for want of time.
    fn unknown(&self, unknown: &Unknown) -> Ended {
        let limit = self.system.alarm().struck().map(Reason::Limit);
        Ended::Open(limit.unwrap_or_else(|| reason(unknown)))
    }

    /// A limit struck at this node.
    fn open(&mut self, limit: Reason, node: u32) -> Ended {
        self.waitlist.push(node, 0);
        let summary = self.summary();
        Ended::Open(Reason::Partly(Box::new(self.candidate.clone().unwrap_or(limit)), summary))
    }

    /// What is left.
    fn summary(&mut self) -> Summary {
        let mut places: BTreeMap<Vec<(FunctionId, Location)>, u64> = BTreeMap::new();
        let left = self.waitlist.len() as u64;
        // A sample says where most are.
        let some: Vec<_> = std::iter::from_fn(|| self.waitlist.pop()).take(1000).collect();
        for node in some {
            self.waitlist.push(node, 0);
            let state = self.system.both.load(self.nodes[node as usize].key);
            let threads = self.system.threads();
            let active = (0..threads.threads(&state.0) as u32).filter(|thread| !threads.is_finished(&state.0, *thread));
            let at = |thread| (threads.function(&state.0, thread), threads.location(&state.0, thread));
            *places.entry(active.map(at).collect()).or_default() += 1;
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|(_, count)| Reverse(*count));
        places.truncate(3);
        Summary { expanded: self.nodes.len() as u64 - left, left, places }
    }

    /// What was done.
    pub fn statistics(&self) -> Statistics {
        let states = self.nodes.iter().filter(|node| !node.is_gone).count() as u64;
        vec![
            (Statistic::States, states),
            (Statistic::Transitions, self.transitions),
            (Statistic::StopChecks, self.reached.checks),
            (Statistic::Asleep, self.slept),
            (Statistic::Waiting, self.waitlist.len() as u64),
        ]
    }

    fn expand(&mut self, node: u32) -> Option<(Target, Found)> {
        let mut state = self.system.both.load(self.nodes[node as usize].key);
        let next = match self.system.next(&state) {
            Ok(next) => next,
            Err(unknown) => {
                let parts = self.system.parts(&state);
                if !parts.is_some_and(|parts| parts.into_iter().all(|part| self.keep_part(part, node))) {
                    self.unknown_at(unknown, node, &[], &[]);
                }
                return None;
            }
        };
        if let Some(found) = self.look(node, &state, &next) {
            return Some(found);
        }
        let enabled = self.system.enabled(&state, &next);
        let chosen = self.system.choose(&state, &next, &enabled);
        let views = if self.options.sleep { self.system.views(&state, &next, &enabled) } else { Vec::new() };
        let again = self.asleep.get_mut(node as usize).and_then(|asleep| asleep.again.take());
        self.nodes[node as usize].is_expanded = true;
        let (mut goes_on, mut earlier) = (false, Vec::new());
        let others = enabled.iter().filter(|thread| !chosen.contains(thread));
        for (i, thread) in chosen.iter().chain(others).enumerate() {
            if i == chosen.len() && again.is_none() && goes_on {
                // Where the path may close a cycle, others must not be put off for ever (the ignoring problem); here it does not.
                let chosen: SmallVec<[u32; 8]> = chosen.iter().map(|thread| *thread as u32).collect();
                self.nodes[node as usize].chosen = self.choices.number(&chosen);
                return None;
            }
            let Some(sleep) = self.sleep_behind(node, &views, &earlier, *thread, again) else { continue };
            match self.expand_thread(node, &mut state, (*thread, &next[*thread]), sleep) {
                Ok(new) => goes_on |= new,
                Err(found) => return Some(found),
            }
            earlier.push(*thread);
        }
        None
    }

    /// Who sleeps behind a step of the thread; `None` if it is not to be made.
    fn sleep_behind(
        &mut self,
        node: u32,
        views: &[View],
        earlier: &[usize],
        thread: usize,
        again: Option<Sleep>,
    ) -> Option<Sleep> {
        if !self.options.sleep {
            return Some(Sleep::default());
        }
        let node = &mut self.asleep[node as usize];
        if again.is_some_and(|again| !again.contains(thread)) {
            return None;
        }
        if node.sleep.contains(thread) {
            node.left_out.insert(thread);
            self.slept += 1;
            return None;
        }
        node.left_out.remove(thread);
        Some(node.sleep.after(views, earlier, thread))
    }

    /// When nothing else is left, the steps that were left out are made, so that the states are closed under all that were chosen.
    fn wake(&mut self) -> Option<u32> {
        if !self.options.sleep {
            return None;
        }
        while let Some(node) = self.asleep.get_mut(self.woken) {
            let left_out = std::mem::take(&mut node.left_out);
            if left_out.is_empty() || self.nodes[self.woken].is_gone {
                self.woken += 1;
                continue;
            }
            node.sleep = Sleep::default();
            node.again = Some(left_out);
            return Some(self.woken as u32);
        }
        None
    }

    /// True if all states reached are new and no run ends; `Err` if a target was reached.
    fn expand_thread(
        &mut self,
        node: u32,
        state: &mut SystemState<D>,
        (thread, next): (usize, &Next),
        sleep: Sleep,
    ) -> Result<bool, (Target, Found)> {
        if self.system.reduction == Reduction::None
            && let Some(made) = self.system.advance(state, thread, next)
        {
            return Ok(self.arrive_and_return(state, node, made, sleep));
        }
        let expansion = match self.system.expand(state.clone(), thread, next) {
            Ok(expansion) => expansion,
            Err(unknown) => {
                self.unknown_at(unknown, node, &[], &[thread as u32]);
                return Ok(false);
            }
        };
        if let Some((missing, path)) = expansion.missing {
            self.unknown_at(missing, node, &path, &[]);
        }
        for (finding, path) in expansion.findings {
            let target = Target::of(finding.violation);
            if self.targets.contains(target)
                && let Some(found) = self.realize(node, target, &path)
            {
                return Err((target, found));
            }
        }
        for path in expansion.errors {
            if let Some(found) = self.realize(node, Target::Specification, &path) {
                return Err((Target::Specification, found));
            }
        }
        let mut goes_on = !expansion.ends && !expansion.arrivals.is_empty();
        for (state, path) in expansion.arrivals {
            self.transitions += 1;
            goes_on &= self.arrive(state, Some(node), &path, sleep);
        }
        Ok(goes_on)
    }

    /// Targets that are states.
    fn look(&mut self, node: u32, state: &SystemState<D>, next: &[Next]) -> Option<(Target, Found)> {
        if self.targets.contains(Target::Race) {
            match self.system.race(state, next) {
                Ok(Some(_)) => {
                    if let Some(found) = self.realize(node, Target::Race, &[]) {
                        return Some((Target::Race, found));
                    }
                }
                Ok(None) => {}
                Err(unknown) => self.unknown_at(unknown, node, &[], &[]),
            }
        }
        if self.targets.contains(Target::Deadlock)
            && threads::is_deadlock(next)
            && let Some(found) = self.realize(node, Target::Deadlock, &[])
        {
            return Some((Target::Deadlock, found));
        }
        if self.system.waits_in_error(state, next)
            && let Some(found) = self.realize(node, Target::Specification, &[])
        {
            return Some((Target::Specification, found));
        }
        if self.targets.contains(Target::Lost) || self.targets.contains(Target::NotFreed) {
            return self.look_at_heap(node, state, next);
        }
        None
    }

    fn look_at_heap(&mut self, node: u32, state: &SystemState<D>, next: &[Next]) -> Option<(Target, Found)> {
        let Some(blocks) = self.system.both.blocks(state) else {
            self.unknown_at(Unknown::Imprecise("what becomes of heap blocks is not known"), node, &[], &[]);
            return None;
        };
        if blocks.lost
            && self.targets.contains(Target::Lost)
            && let Some(found) = self.realize(node, Target::Lost, &[])
        {
            return Some((Target::Lost, found));
        }
        if !blocks.live || !self.targets.contains(Target::NotFreed) {
            return None;
        }
        let last = self.system.return_from_main(state, next);
        if last.is_none() && !self.system.may_return(state, next) {
            return None;
        }
        self.realize(node, Target::NotFreed, last.as_slice()).map(|found| (Target::NotFreed, found))
    }

    /// Keeps a state unless one covers it; true if it is new.
    fn arrive(&mut self, mut state: SystemState<D>, parent: Option<u32>, path: &[Step], sleep: Sleep) -> bool {
        let stored = self.system.store(&mut state);
        self.arrive_at(stored, &mut state, parent, path, sleep)
    }

    /// The same for a step that was made in place; it is taken back then.
    fn arrive_and_return(&mut self, state: &mut SystemState<D>, node: u32, made: Made<D>, sleep: Sleep) -> bool {
        self.transitions += 1;
        let path = [made.step];
        let stays = made.keeps_names && self.options.join == Join::None && !self.system.may_rename(state);
        let is_new = match stays {
            true => {
                let key = self.system.store_named(state);
                self.arrive_at((key, None), state, Some(node), &path, sleep)
            }
            false => self.arrive(state.clone(), Some(node), &path, sleep),
        };
        self.system.take_back(state, made);
        is_new
    }

    fn arrive_at(
        &mut self,
        (key, order): (Key<D>, Option<Order>),
        state: &mut SystemState<D>,
        parent: Option<u32>,
        path: &[Step],
        mut sleep: Sleep,
    ) -> bool {
        // Threads that moved along the path do not sleep.
        path.iter().for_each(|step| sleep.remove(step.thread as usize));
        sleep = order.as_ref().map_or(sleep, |order| sleep.renamed(order.old()));
        let is_exact = self.system.both.is_exact(state);
        let nodes = &self.nodes;
        let kept = |node: u32| {
            let Node { key, is_exact, is_gone, .. } = nodes[node as usize];
            Seen { key, is_exact, is_gone }
        };
        if let Some(known) = self.reached.covering(&mut self.system.both, key, kept) {
            self.arrive_again(known, sleep);
            return false;
        }
        let enlarged = self.system.enlarge(state, key);
        let is_exact = is_exact && enlarged == key;
        let (key, joins) = self.join(enlarged);
        let rank = self.rank(&state.0);
        self.add(key, (parent, path, order), is_exact && joins == 0, joins, sleep, rank);
        true
    }

    fn add(
        &mut self,
        key: Key<D>,
        (parent, path, order): (Option<u32>, &[Step], Option<Order>),
        is_exact: bool,
        joins: u32,
        sleep: Sleep,
        rank: u32,
    ) {
        let node = self.nodes.len() as u32;
        let (parent, steps) = (parent.unwrap_or(node), self.steps.len() as u32);
        self.steps.extend(path.iter().map(Taken::new));
        let order = order.map_or(0, |order| self.orders.number(order.old()));
        let (is_gone, is_part, is_expanded) = (false, false, false);
        self.nodes.push(Node {
            key,
            parent,
            steps,
            order,
            chosen: ALL,
            joins,
            is_exact,
            is_gone,
            is_part,
            is_expanded,
        });
        if self.options.sleep {
            self.asleep.push(Asleep { sleep, ..Asleep::default() });
        }
        // Those that may be joined with others must be found by place.
        let nodes = &self.nodes;
        self.reached.insert(key, node, is_exact && self.options.join == Join::None, |node| nodes[node as usize].key);
        self.waitlist.push(node, rank);
    }

    /// Keeps a part of a state, though that state covers it. False if the part is the whole.
    fn keep_part(&mut self, mut part: SystemState<D>, whole: u32) -> bool {
        let (key, order) = self.system.store(&mut part);
        let known = self.reached.find(key, |node| self.nodes[node as usize].key);
        if known.is_none() {
            let (is_exact, rank) = (self.system.both.is_exact(&part), self.rank(&part.0));
            self.add(key, (Some(whole), &[], order), is_exact, 0, Sleep::default(), rank);
        }
        let node = known.unwrap_or(self.nodes.len() as u32 - 1);
        self.nodes[node as usize].is_part = true;
        node != whole
    }

    /// A state is reached again, with fewer that sleep: theirs are to be made after all.
    fn arrive_again(&mut self, known: u32, sleep: Sleep) {
        let Some(node) = self.asleep.get_mut(known as usize) else { return };
        if node.sleep.is_subset(sleep) {
            return;
        }
        let woken = node.sleep.without(sleep);
        node.sleep = node.sleep.intersection(sleep);
        if self.nodes[known as usize].is_expanded {
            let mut again = node.again.unwrap_or_default();
            (0..64).filter(|thread| woken.contains(*thread)).for_each(|thread| again.insert(thread));
            if node.again.replace(again).is_none() {
                self.waitlist.push(known, 0);
            }
        }
    }

    /// The number of active threads, if it matters.
    fn rank(&self, state: &threads::ControlState) -> u32 {
        if !self.options.strategy.fewest_threads {
            return 0;
        }
        let threads = self.system.threads();
        (0..threads.threads(state) as u32).filter(|thread| !threads.is_finished(state, *thread)).count() as u32
    }

    /// Joins a new state with those of the same location vector, if the analysis does so; they are gone then.
    fn join(&mut self, mut key: Key<D>) -> (Key<D>, u32) {
        let mut joins = 0;
        if self.options.join == Join::None {
            return (key, joins);
        }
        for other in self.reached.neighbours(key.0).to_vec() {
            let old = &self.nodes[other as usize];
            if old.is_part {
                continue;
            }
            if let Some(joined) = self.system.both.merge(key, old.key, old.joins) {
                joins = joins.max(old.joins + 1);
                let old = old.key;
                self.nodes[other as usize].is_gone = true;
                self.reached.remove(old, other);
                key = joined;
            }
        }
        (key, joins)
    }

    /// The steps from the first state to a node and some steps more, with the names that threads have in a run.
    fn path(&self, node: u32, more: &[Step]) -> (Vec<Step>, Names) {
        let (mut nodes, mut at) = (vec![node], node);
        while self.nodes[at as usize].parent != at {
            at = self.nodes[at as usize].parent;
            nodes.push(at);
        }
        let (mut names, mut steps) = (Names::new(), Vec::new());
        for node in nodes.into_iter().rev() {
            steps.extend(self.steps_to(node).iter().map(|step| names.follow(step)));
            let order = self.nodes[node as usize].order;
            if order != 0 {
                names.reorder(self.orders.get(order));
            }
        }
        steps.extend(more.iter().map(|step| names.follow(&Taken::new(step))));
        (steps, names)
    }

    /// Those from its parent.
    fn steps_to(&self, node: u32) -> &[Taken] {
        let start = self.nodes[node as usize].steps as usize;
        let end = self.nodes.get(node as usize + 1).map_or(self.steps.len(), |next| next.steps as usize);
        &self.steps[start..end]
    }

    /// A run along the path to a node and some steps more that reaches the target. Without one, it remains a candidate.
    fn realize(&mut self, node: u32, target: Target, more: &[Step]) -> Option<Found> {
        let (steps, _) = self.path(node, more);
        // The more paths were spurious, the less is tried.
        let tries = 200 / (1 + self.failed);
        if self.failed > 2000 {
            return None;
        }
        let goal = (target, self.system.automaton());
        let found = realize(self.machine, goal, &steps, tries.max(1), self.system.alarm());
        let limit = self.system.alarm().struck().map(Reason::Limit);
        match (found, limit) {
            (Some(found), _) if !found.imprecise => Some(found),
            (Some(found), _) => {
                if !matches!(self.candidate, Some(Reason::Candidate(..))) {
                    self.candidate = Some(Reason::Candidate(target, Arc::new(found.trace)));
                }
                None
            }
            // There was no time to try.
            (None, Some(limit)) => {
                self.candidate.get_or_insert(limit);
                None
            }
            (None, None) => {
                self.failed += 1;
                self.candidate.get_or_insert(Reason::Unrealized(target));
                if self.stops && self.obstacle.is_none() {
                    self.obstacle = Some(self.obstacle(Reason::Unrealized(target), node, more, &[]));
                }
                None
            }
        }
    }
}

impl<D: Evidence> Explorer<'_, '_, D> {
    /// The states that are left, as evidence.
    pub fn reached_set(self, facts: Option<Arc<Facts>>) -> ReachedSet {
        let alive = self.nodes.iter().filter(|node| !node.is_gone);
        let kept = |node: &Node<Key<D>>| {
            let (threads, (data, monitor)) = node.key;
            let chosen = || self.choices.get(node.chosen).iter().map(|thread| *thread as u16).collect();
            Kept { threads, data: D::numbers(data), monitor, chosen: (node.chosen != ALL).then(chosen) }
        };
        let (states, symmetry) = (alive.map(kept).collect(), self.system.renames_threads());
        let Product(threads, monitored) = self.system.both;
        let (data, monitor_states) = monitored.into_parts();
        let tables = RefCell::new(Some((threads.into_tables(), data.into_tables(), monitor_states)));
        ReachedSet { reduction: self.system.reduction, symmetry, facts, tables, states }
    }
}

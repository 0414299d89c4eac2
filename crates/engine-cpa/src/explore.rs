//! The search: states are taken from the waitlist and expanded until none is left, a target is reached, or a limit strikes.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use analyses::intern::Lists;
use analyses::system::{Key, Made, State};
use analyses::threads::{self, Next};
use analyses::{Analysis, Claim, Evidence, Kept, Product, Reduction, Step, System, Trouble, What};
use base::Budget;
use facts::Facts;
use por::{Sleep, View};
use program::{EdgeId, FunctionId, Location};
use semantics::Machine;
use smallvec::SmallVec;
use verify::{Condition, Observer, Reason, Target, Targets};

use crate::Options;
use crate::path::{Found, realize};
use crate::reached::{Reached, Seen};
use crate::waitlist::Waitlist;

/// A state of the search, and how it was reached.
struct Node<K> {
    key: K,
    /// Itself if it is the first one.
    parent: u32,
    /// Where its steps from the parent begin in the list of all steps; they end where those of the next node begin.
    steps: u32,
    /// The list of threads whose steps were made, if not all were.
    chosen: u32,
    /// Joined so many times.
    joins: u32,
    is_exact: bool,
    /// Joined into another one.
    is_gone: bool,
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

/// A step on the way to a node: what is needed to repeat it.
struct Taken {
    thread: u32,
    function: FunctionId,
    edge: EdgeId,
    /// [`NO_CHOICE`] if there was none.
    choice: u32,
}

const NO_CHOICE: u32 = u32::MAX;

impl Taken {
    fn new(step: &Step) -> Taken {
        let choice = step.choice.unwrap_or(NO_CHOICE);
        Taken { thread: step.thread, function: step.function, edge: step.edge, choice }
    }

    fn step(&self) -> Step {
        let choice = Some(self.choice).filter(|choice| *choice != NO_CHOICE);
        Step { thread: self.thread, function: self.function, edge: self.edge, choice, what: What::Open }
    }
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
    reached: Reached,
    waitlist: Waitlist,
    trouble: Option<Trouble>,
    /// A target that was seen without a run that shows it.
    candidate: Option<Reason>,
    /// Ways to a target for which no inputs were found.
    failed: u32,
    transitions: u64,
    /// Steps left out because their threads slept; nodes before this one have none any more.
    slept: u64,
    woken: usize,
}

/// Limits are looked at so often.
const LOOK: Duration = Duration::from_millis(10);

/// How a search ends.
pub enum Ended {
    Found(Target, Box<Found>),
    /// All states were seen, without a target.
    Complete,
    Open(Reason),
}

impl<'t, 'p, D: Analysis> Explorer<'t, 'p, D> {
    pub fn new(system: System<'p, D>, machine: &'t Machine<'p>, targets: Targets, options: Options) -> Self {
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
            trouble: None,
            candidate: None,
            failed: 0,
            transitions: 0,
            slept: 0,
            woken: 0,
        }
    }

    pub fn run(&mut self, budget: &Budget, log: &mut dyn Observer) -> Ended {
        match self.system.initial() {
            Ok((state, errs)) => {
                self.arrive(state, None, &[], Sleep::default());
                if errs && let Some(found) = self.realize(0, Target::Specification, &[]) {
                    return Ended::Found(Target::Specification, Box::new(found));
                }
            }
            Err(trouble) => return Ended::Open(Reason::Unsupported(trouble.0)),
        }
        let mut looked = Instant::now();
        while let Some(node) = self.waitlist.pop().or_else(|| self.wake()) {
            if self.nodes[node as usize].is_gone {
                continue;
            }
            // A state may take long, if it has large decision diagrams.
            if looked.elapsed() > LOOK {
                looked = Instant::now();
                log.progress("states", self.nodes.len() as u64);
                if let Some(limit) = budget.exhausted() {
                    return self.open(Reason::Limit(limit), node);
                }
                if self.system.is_cut && budget.progress().is_some_and(|part| part > self.options.part) {
                    return Ended::Open(Reason::Count("threads"));
                }
            }
            if self.options.most_states.is_some_and(|most| self.nodes.len() as u64 > most) {
                return self.open(Reason::Count("states"), node);
            }
            if let Some((target, found)) = self.expand(node) {
                return Ended::Found(target, Box::new(found));
            }
        }
        match (&self.trouble, &self.candidate) {
            (_, Some(reason)) => Ended::Open(reason.clone()),
            (Some(trouble), None) => Ended::Open(Reason::Unsupported(trouble.0.clone())),
            (None, None) => Ended::Complete,
        }
    }

    /// A limit struck at this node.
    fn open(&mut self, limit: Reason, node: u32) -> Ended {
        self.waitlist.push(node, 0);
        let condition = self.condition();
        Ended::Open(Reason::Partly(Box::new(self.candidate.clone().unwrap_or(limit)), condition))
    }

    /// What is left.
    fn condition(&mut self) -> Condition {
        let mut places: BTreeMap<Vec<(FunctionId, Location)>, u64> = BTreeMap::new();
        let left = self.waitlist.len() as u64;
        // Some tell where most are.
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
        Condition { expanded: self.nodes.len() as u64 - left, left, places }
    }

    /// What was done.
    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        let states = self.nodes.iter().filter(|node| !node.is_gone).count() as u64;
        vec![
            ("states", states),
            ("transitions", self.transitions),
            ("stop checks", self.reached.checks),
            ("left out by sleep sets", self.slept),
            ("waiting", self.waitlist.len() as u64),
        ]
    }

    fn expand(&mut self, node: u32) -> Option<(Target, Found)> {
        let mut state = self.system.both.load(self.nodes[node as usize].key);
        let next = match self.system.next(&state) {
            Ok(next) => next,
            Err(trouble) => {
                // Joined states would stand for their parts again.
                let parts = if self.options.joins { None } else { self.system.parts(&state) };
                match parts {
                    Some(parts) => parts.into_iter().for_each(|part| self.keep_part(part, node)),
                    None => {
                        self.trouble.get_or_insert(trouble);
                    }
                }
                return None;
            }
        };
        if let Some(found) = self.look(node, &state, &next) {
            return Some(found);
        }
        let enabled = self.system.enabled(&state, &next);
        let chosen = self.system.choose(&state, &next, &enabled).unwrap_or_else(|_| enabled.clone());
        let views = if self.options.sleep { self.system.views(&state, &next, &enabled) } else { Vec::new() };
        let again = self.asleep.get_mut(node as usize).and_then(|asleep| asleep.again.take());
        self.nodes[node as usize].is_expanded = true;
        let (mut goes_on, mut earlier) = (false, Vec::new());
        let others = enabled.iter().filter(|thread| !chosen.contains(thread));
        for (i, thread) in chosen.iter().chain(others).enumerate() {
            if i == chosen.len() && again.is_none() && goes_on {
                // Where the way may lead back, others must not be put off for ever; here it does not.
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
        state: &mut State<D>,
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
            Err(trouble) => {
                self.trouble.get_or_insert(trouble);
                return Ok(false);
            }
        };
        if let Some(missing) = expansion.missing {
            self.trouble.get_or_insert(missing);
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
    fn look(&mut self, node: u32, state: &State<D>, next: &[Next]) -> Option<(Target, Found)> {
        if self.targets.contains(Target::Race) {
            match self.system.race(state, next) {
                Ok(Some(_)) => {
                    if let Some(found) = self.realize(node, Target::Race, &[]) {
                        return Some((Target::Race, found));
                    }
                }
                Ok(None) => {}
                Err(trouble) => {
                    self.trouble.get_or_insert(trouble);
                }
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

    fn look_at_heap(&mut self, node: u32, state: &State<D>, next: &[Next]) -> Option<(Target, Found)> {
        let Some(blocks) = self.system.both.blocks(state) else {
            self.trouble.get_or_insert(Trouble("what becomes of heap blocks is not known".into()));
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

    /// Keeps a state unless one that stands for it is there; true if it is new.
    fn arrive(&mut self, mut state: State<D>, parent: Option<u32>, path: &[Step], sleep: Sleep) -> bool {
        let key = self.system.both.store(&mut state);
        self.arrive_at(key, &state, parent, path, sleep)
    }

    /// The same for a step that was made in place; it is taken back then.
    fn arrive_and_return(&mut self, state: &mut State<D>, node: u32, made: Made<D>, sleep: Sleep) -> bool {
        self.transitions += 1;
        let path = [made.step];
        let is_new = match made.keeps_names {
            true => {
                let key = self.system.store_named(state);
                self.arrive_at(key, state, Some(node), &path, sleep)
            }
            false => self.arrive(state.clone(), Some(node), &path, sleep),
        };
        self.system.take_back(state, made);
        is_new
    }

    fn arrive_at(
        &mut self,
        key: Key<D>,
        state: &State<D>,
        parent: Option<u32>,
        path: &[Step],
        mut sleep: Sleep,
    ) -> bool {
        // Who moved on the way does not sleep.
        path.iter().for_each(|step| sleep.remove(step.thread as usize));
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
        let (key, joins) = self.join(key);
        let rank = self.rank(&state.0);
        self.add(key, (parent, path), is_exact && joins == 0, joins, sleep, rank);
        true
    }

    fn add(
        &mut self,
        key: Key<D>,
        (parent, path): (Option<u32>, &[Step]),
        is_exact: bool,
        joins: u32,
        sleep: Sleep,
        rank: u32,
    ) {
        let node = self.nodes.len() as u32;
        let (parent, steps) = (parent.unwrap_or(node), self.steps.len() as u32);
        self.steps.extend(path.iter().map(Taken::new));
        let (is_gone, is_expanded) = (false, false);
        self.nodes.push(Node { key, parent, steps, chosen: ALL, joins, is_exact, is_gone, is_expanded });
        if self.options.sleep {
            self.asleep.push(Asleep { sleep, ..Asleep::default() });
        }
        // Those that may be joined with others must be found by place.
        let nodes = &self.nodes;
        self.reached.insert(key, node, is_exact && !self.options.joins, |node| nodes[node as usize].key);
        self.waitlist.push(node, rank);
    }

    /// Keeps a part of a state, though that state stands for it.
    fn keep_part(&mut self, mut part: State<D>, whole: u32) {
        let key = self.system.both.store(&mut part);
        if self.reached.find(key, |node| self.nodes[node as usize].key).is_none() {
            let (is_exact, rank) = (self.system.both.is_exact(&part), self.rank(&part.0));
            self.add(key, (Some(whole), &[]), is_exact, 0, Sleep::default(), rank);
        }
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
    fn rank(&self, state: &threads::State) -> u32 {
        if !self.options.strategy.fewest_threads {
            return 0;
        }
        let threads = self.system.threads();
        (0..threads.threads(state) as u32).filter(|thread| !threads.is_finished(state, *thread)).count() as u32
    }

    /// Joins a new state with those at the same places, if the analysis does so; they are gone then.
    fn join(&mut self, mut key: Key<D>) -> (Key<D>, u32) {
        let mut joins = 0;
        if !self.options.joins {
            return (key, joins);
        }
        for other in self.reached.neighbours(key.0).to_vec() {
            let old = &self.nodes[other as usize];
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

    /// The steps from the first state to a node.
    fn path(&self, node: u32) -> Vec<Step> {
        let (mut nodes, mut at) = (vec![node], node);
        while self.nodes[at as usize].parent != at {
            at = self.nodes[at as usize].parent;
            nodes.push(at);
        }
        nodes.into_iter().rev().flat_map(|node| self.steps_to(node)).map(Taken::step).collect()
    }

    /// Those from its parent.
    fn steps_to(&self, node: u32) -> &[Taken] {
        let start = self.nodes[node as usize].steps as usize;
        let end = self.nodes.get(node as usize + 1).map_or(self.steps.len(), |next| next.steps as usize);
        &self.steps[start..end]
    }

    /// A run along the way to a node and some steps more that reaches the target. Without one, it remains a candidate.
    fn realize(&mut self, node: u32, target: Target, more: &[Step]) -> Option<Found> {
        let mut steps = self.path(node);
        steps.extend_from_slice(more);
        // The more often it was in vain, the less is tried.
        let tries = 200 / (1 + self.failed);
        if self.failed > 2000 {
            return None;
        }
        let goal = (target, self.system.automaton());
        match realize(self.machine, goal, &steps, tries.max(1)) {
            Some(found) if !found.imprecise => Some(found),
            Some(_) => {
                self.candidate = Some(Reason::Candidate(target));
                None
            }
            None => {
                self.failed += 1;
                self.candidate.get_or_insert(Reason::Unrealized(target));
                None
            }
        }
    }
}

impl<D: Evidence> Explorer<'_, '_, D> {
    /// The states that are left, as evidence.
    pub fn claim(self, facts: Option<Rc<Facts>>) -> Claim {
        let alive = self.nodes.iter().filter(|node| !node.is_gone);
        let kept = |node: &Node<Key<D>>| {
            let (threads, (data, watch)) = node.key;
            let chosen = || self.choices.get(node.chosen).iter().map(|thread| *thread as u16).collect();
            Kept { threads, data: D::numbers(data), watch, chosen: (node.chosen != ALL).then(chosen) }
        };
        let states = alive.map(kept).collect();
        let Product(threads, watched) = self.system.both;
        let (data, watches) = watched.into_parts();
        let tables = RefCell::new(Some((threads.into_tables(), data.into_tables(), watches)));
        Claim { reduction: self.system.reduction, facts, tables, states }
    }
}

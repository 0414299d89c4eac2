//! Reduced explorations find what full ones find: small random programs are explored to the end, once by all steps and once by
//! those that are chosen.
//!
//! `HEDDLE_RANDOM_PROGRAMS=5000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start.

mod support;

use std::collections::BTreeSet;

use base::Idx;
use facts::blocks::Circumstances;
use por::{Sleep, View, local_global, source_set};
use program::{Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Ending, Outcome, State, ThreadId, canonical, for_each_choice};
use testing::generate::GenerateOptions;

use support::{INPUTS, Manner, Sites, Watch, facts_of};

const MOST_STATES: usize = 4_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    All,
    SourceSets,
    LocalGlobal,
    /// All but those that sleep.
    Sleep,
    /// Of the source sets, those that do not sleep.
    SleepingSources,
}

impl Choice {
    fn sleeps(self) -> bool {
        matches!(self, Choice::Sleep | Choice::SleepingSources)
    }
}

/// The first one shows what there is to find.
const WAYS: [(Manner, Choice); 6] = [
    (Manner::Plain, Choice::All),
    (Manner::Plain, Choice::SourceSets),
    (Manner::Movers, Choice::SourceSets),
    (Manner::Plain, Choice::LocalGlobal),
    (Manner::Plain, Choice::Sleep),
    (Manner::Plain, Choice::SleepingSources),
];

#[test]
fn reduced_explorations_find_the_same() {
    let options = |seed| GenerateOptions { statements: 3 + seed as usize % 3, ..GenerateOptions::default() };
    let all = testing::on_random_programs(150, options, |_, program| sizes(program));
    let sums: [usize; 6] = std::array::from_fn(|way| all.iter().map(|sizes| sizes[way]).sum());
    println!("states: {sums:?}");
    let [all, sources, movers, simple, sleep, _] = sums;
    assert!(sources * 2 < all && movers <= sources && simple < all, "{sums:?}");
    // Sleeping leaves out steps, not states; here, states that differ in names are told apart.
    assert!(sleep >= all, "{sums:?}");
}

/// How many states there are each way; none if there are too many.
fn sizes(program: &Program) -> Result<[usize; 6], String> {
    let Some(facts) = facts_of(program) else { return Ok([0; 6]) };
    let explore = |(manner, choice)| Explorer::new(Watch::new(program, &facts, manner), choice).run();
    let Some((all, states)) = explore(WAYS[0]) else { return Ok([0; 6]) };
    let mut sizes = [states; 6];
    for (way, size) in WAYS.into_iter().zip(&mut sizes).skip(1) {
        let (found, states) = explore(way).unwrap_or_default();
        if found != all {
            return Err(format!("by {way:?}: {found:?} instead of {all:?}"));
        }
        *size = states;
    }
    Ok(sizes)
}

struct Explorer<'p> {
    watch: Watch<'p>,
    choice: Choice,
    /// With those that slept there each time.
    visited: FxHashMap<State, Sleep>,
    on_stack: FxHashSet<State>,
    found: BTreeSet<Outcome>,
}

struct Frame {
    key: State,
    next: Vec<(State, Sites, Sleep)>,
}

impl<'p> Explorer<'p> {
    fn new(watch: Watch<'p>, choice: Choice) -> Self {
        Explorer {
            watch,
            choice,
            visited: FxHashMap::default(),
            on_stack: FxHashSet::default(),
            found: BTreeSet::new(),
        }
    }

    /// What was found, and the number of states. `None` if there are too many.
    fn run(mut self) -> Option<(BTreeSet<Outcome>, usize)> {
        let mut first = Vec::new();
        for_each_choice(INPUTS, |choices| {
            let state = self.watch.machine.initial(choices);
            let sites = self.watch.first_sites(&state);
            first.push((state, sites, Sleep::default()));
        });
        let mut stack: Vec<Frame> = Vec::new();
        loop {
            let next = match stack.last_mut() {
                Some(frame) => frame.next.pop(),
                None => match first.pop() {
                    Some(start) => Some(start),
                    None => return Some((self.found, self.visited.len())),
                },
            };
            let Some((state, sites, sleep)) = next else {
                let frame = stack.pop().expect("there is one");
                self.on_stack.remove(&frame.key);
                continue;
            };
            let key = self.key(&state);
            let sleep = match self.visited.get(&key) {
                Some(before) if before.is_subset(sleep) => continue,
                Some(before) => before.intersection(sleep),
                None => sleep,
            };
            self.visited.insert(key.clone(), sleep);
            if self.visited.len() > MOST_STATES * if self.choice.sleeps() { 20 } else { 1 } {
                return None;
            }
            self.on_stack.insert(key.clone());
            let next = self.expand(&state, &sites, sleep);
            stack.push(Frame { key, next });
        }
    }

    /// Who sleeps is named by numbers of threads, which a representative would change.
    fn key(&self, state: &State) -> State {
        if self.choice.sleeps() { state.clone() } else { canonical(state.clone()) }
    }

    fn expand(&mut self, state: &State, sites: &Sites, sleep: Sleep) -> Vec<(State, Sites, Sleep)> {
        if self.watch.machine.race(state).is_some() {
            self.found.insert(Outcome::Race);
        }
        if self.watch.machine.is_deadlock(state) {
            self.found.insert(Outcome::Deadlock);
        }
        let views = self.watch.views(state, sites);
        let all: Vec<usize> = (0..views.len()).filter(|thread| views[*thread].enabled).collect();
        let chosen = match self.choice {
            Choice::All | Choice::Sleep => all.clone(),
            Choice::SourceSets | Choice::SleepingSources => source_set(&mut self.watch.remaining, &views).to_vec(),
            Choice::LocalGlobal => local_global(&all, |thread| !self.is_global(state, thread)).to_vec(),
        };
        assert!(chosen.iter().all(|thread| all.contains(thread)) && chosen.is_empty() == all.is_empty());
        let next = self.steps(state, sites, sleep, &views, &chosen);
        // The cycle condition.
        let closes = |(state, ..): &(State, Sites, Sleep)| self.on_stack.contains(&self.key(state));
        if chosen.len() < all.len() && next.iter().any(closes) {
            return self.steps(state, sites, sleep, &views, &all);
        }
        next
    }

    fn is_global(&self, state: &State, thread: usize) -> bool {
        let thread = ThreadId::from_usize(thread);
        let frame = state.frame(thread);
        let mut edges = self.watch.machine.function(frame.function).edges_from(frame.location);
        edges.any(|(id, edge)| {
            let matters = matches!(edge.op, Op::Thread(_) | Op::AtomicBegin | Op::End(_) | Op::Unsupported(_));
            matters
                || self.watch.movers.is_contended(frame.function, id)
                || self.watch.movers.may_fail(frame.function, id)
                || edge.op == Op::Return && state.thread(thread).frames.len() == 1
        })
    }

    fn steps(
        &mut self,
        state: &State,
        sites: &Sites,
        sleep: Sleep,
        views: &[View],
        chosen: &[usize],
    ) -> Vec<(State, Sites, Sleep)> {
        let machine = &self.watch.machine;
        let awake: Vec<usize> = chosen.iter().copied().filter(|thread| !sleep.contains(*thread)).collect();
        let mut found = Vec::new();
        for (i, thread) in awake.iter().enumerate() {
            let id = ThreadId::from_usize(*thread);
            let edge = machine.next(state, id).edge().expect("it is enabled");
            let slept = sleep.after(views, &awake[..i], *thread);
            let after = if self.choice.sleeps() { slept } else { Sleep::default() };
            for_each_choice(INPUTS, |choices| {
                let mut next = state.clone();
                let effects = machine.step(&mut next, id, edge, choices);
                self.found.extend(effects.violations.into_iter().filter_map(Outcome::of));
                match effects.ending {
                    None => {
                        let mut sites = sites.clone();
                        self.watch.follow(&mut sites, state, &next, (id, edge));
                        found.push((next, sites, after));
                    }
                    Some(Ending::Undefined(what)) => {
                        self.found.insert(Outcome::Undefined(what));
                    }
                    Some(_) => {}
                }
            });
        }
        found
    }
}

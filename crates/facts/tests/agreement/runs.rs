//! Runs a program in many ways and looks at every state.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use base::Span;
use facts::map::Map;
use facts::{AbstractAccess, Facts, Pairs, Sharing};
use program::{EdgeId, Input, Program, Scalar};
use semantics::live::live_locals;
use semantics::{
    Effects, Ending, Environment, Machine, Random, State, ThreadId, Touch, Undefined, Violation, for_each_choice,
};

use crate::ghost::Ghost;
use crate::look::{Check, Hands, Live, Look};

pub struct Effort {
    /// Explored one by one.
    pub states: usize,
    /// If that is not all, so many random runs.
    pub runs: u64,
    pub longest: usize,
    pub inputs: &'static [i64],
}

/// Runs with more are not followed.
const MOST_THREADS: usize = 12;

pub fn check(program: &Program, facts: &Facts, effort: &Effort) -> Check {
    facts::recheck(program, facts).map_err(|problem| format!("recheck: {problem}"))?;
    let machine = Machine::new(program);
    let mut search = Search {
        machine: &machine,
        facts,
        effort,
        pairs: facts.pairs(program),
        targets: Targets::of(program, facts),
        accesses: BTreeMap::new(),
        steps: Vec::new(),
        live: program.functions.iter().map(live_locals).collect(),
    };
    if !search.explore()? {
        (0..effort.runs).try_for_each(|seed| search.run(seed))?;
    }
    Ok(())
}

/// A node, and a state of it.
type Place = (u32, Arc<facts::state::ThreadState>);

struct Search<'a, 'p> {
    machine: &'a Machine<'p>,
    facts: &'a Facts,
    effort: &'a Effort,
    pairs: Pairs,
    targets: Targets,
    /// By node.
    accesses: BTreeMap<u32, Vec<AbstractAccess>>,
    /// How each state was reached: from which, by which step, in words.
    steps: Vec<(usize, String)>,
    live: Live,
}

impl Search<'_, '_> {
    /// True if that was all.
    fn explore(&mut self) -> Result<bool, String> {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut visited = HashSet::new();
        let mut stack = Vec::new();
        let (machine, tables, inputs) = (self.machine, &self.facts.tables, self.effort.inputs);
        for_each_choice(inputs, |choices| {
            let state = machine.initial(choices);
            let ghost = Ghost::initial(tables, &state);
            stack.push((state, ghost, 0));
        });
        self.steps = vec![(0, "start".into())];
        while let Some((state, ghost, at)) = stack.pop() {
            if state.threads.len() > MOST_THREADS || !visited.insert(hasher.hash_one((&state, &ghost))) {
                continue;
            }
            if visited.len() > self.effort.states {
                return Ok(false);
            }
            self.look(&state, &ghost, at)?;
            for (thread, edge) in machine.runnable(&state) {
                self.steps.push((at, self.describe(&state, thread, edge)));
                let step = self.steps.len() - 1;
                let mut problem = None;
                for_each_choice(inputs, |choices| {
                    let (mut next, mut ghost) = (state.clone(), ghost.clone());
                    let effects = machine.step(&mut next, thread, edge, choices);
                    if let Err(e) = self.targets.allow(machine.edge(&state, thread, edge).span, &effects) {
                        problem = Some(e);
                    }
                    if effects.ending.is_some() {
                        return;
                    }
                    match ghost.follow(machine, tables, &state, &next, (thread, edge)) {
                        Ok(()) => stack.push((next, ghost, step)),
                        Err(e) => problem = Some(e),
                    }
                });
                if let Some(problem) = problem {
                    return Err(self.tell(&problem, step));
                }
            }
        }
        Ok(true)
    }

    fn run(&mut self, seed: u64) -> Check {
        let mut choices = Guesses { random: Random::new(seed), inputs: self.effort.inputs };
        let mut state = self.machine.initial(&mut choices);
        let mut ghost = Ghost::initial(&self.facts.tables, &state);
        self.steps = vec![(0, "start".into())];
        let mut last = None;
        for _ in 0..self.effort.longest {
            let at = self.steps.len() - 1;
            self.look(&state, &ghost, at)?;
            let steps = self.machine.runnable(&state);
            if steps.is_empty() || state.threads.len() > MOST_THREADS {
                break;
            }
            // Threads often go on for a while: some things happen only if one gets far ahead.
            let same = steps.iter().find(|(thread, _)| Some(*thread) == last).filter(|_| seed.is_multiple_of(2));
            let (thread, edge) = match same {
                Some(step) if !choices.random.once_in(4) => *step,
                _ => *choices.random.pick(&steps),
            };
            last = Some(thread);
            self.steps.push((at, self.describe(&state, thread, edge)));
            let before = state.clone();
            let effects = self.machine.step(&mut state, thread, edge, &mut choices);
            let allowed = self.targets.allow(self.machine.edge(&before, thread, edge).span, &effects);
            allowed.map_err(|problem| self.tell(&problem, at + 1))?;
            if effects.ending.is_some() {
                break;
            }
            ghost
                .follow(self.machine, &self.facts.tables, &before, &state, (thread, edge))
                .map_err(|problem| self.tell(&problem, at + 1))?;
        }
        Ok(())
    }

    fn describe(&self, state: &State, thread: ThreadId, edge: EdgeId) -> String {
        let function = self.machine.function(state.frame(thread).function);
        let edge = &function.edges[edge];
        let sources = &self.machine.program.sources;
        let line = sources.place(edge.span).map_or(0, |place| place.line);
        format!("{thread} in {} line {line}: {:?}", function.name, edge.op)
    }

    fn tell(&self, problem: &str, at: usize) -> String {
        const MOST: usize = 30;
        let mut text = String::new();
        let mut at = at;
        let mut steps = Vec::new();
        while at != 0 && steps.len() < MOST {
            steps.push(self.steps[at].1.clone());
            at = self.steps[at].0;
        }
        steps.reverse();
        for step in steps {
            text += "\n    ";
            text += &step;
        }
        format!("{problem}\n  after{text}")
    }

    /// States of a node may differ in which globals are in the hands of the thread: some way to choose must do.
    fn look(&mut self, state: &State, ghost: &Ghost, at: usize) -> Check {
        const MOST_WAYS: usize = 100;
        let live = std::mem::take(&mut self.live);
        let mut ways = vec![Vec::new()];
        let look = Look::new(self.machine, self.facts, state, ghost, &live, &[]);
        for thread in state.thread_ids().filter(|thread| look.runs(*thread)) {
            let nodes = look.nodes(thread).into_iter();
            let states = nodes.flat_map(|node| &self.facts.solution.states[node as usize]);
            let mut hands: Vec<Map<()>> = Vec::new();
            for state in states {
                if !hands.contains(&state.privatised) {
                    hands.push(state.privatised.clone());
                }
            }
            let with = |way: &Vec<_>, hand: Map<()>| way.iter().cloned().chain([(thread, hand)]).collect();
            let all = ways.iter().flat_map(|way| hands.iter().map(move |hand| with(way, hand.clone())));
            let all: Vec<Hands> = all.take(MOST_WAYS).collect();
            if !all.is_empty() {
                ways = all;
            }
        }
        let mut result = Ok(());
        for way in ways {
            result = self.look_at(&Look::new(self.machine, self.facts, state, ghost, &live, &way));
            if result.is_ok() {
                break;
            }
        }
        self.live = live;
        result.map_err(|problem| self.tell(&problem, at))
    }

    fn look_at(&mut self, look: &Look<'_, '_>) -> Check {
        look.check_shared()?;
        look.check_crews()?;
        let mut places = Vec::new();
        for thread in look.state.thread_ids().filter(|thread| look.runs(*thread)) {
            let mut problems = Vec::new();
            let mut fitting = Vec::new();
            for node in look.nodes(thread) {
                for state in &self.facts.solution.states[node as usize] {
                    match look.is_in(thread, state) {
                        Ok(()) => fitting.push((node, state.clone())),
                        Err(problem) => problems.push(problem),
                    }
                }
            }
            if fitting.is_empty() {
                let nodes: Vec<_> =
                    look.nodes(thread).iter().map(|node| self.facts.tables.nodes[*node as usize]).collect();
                return Err(format!("{thread} at {nodes:?}: {}", problems.join("\n  or ")));
            }
            places.push((thread, fitting));
        }
        for (i, (first, of_first)) in places.iter().enumerate() {
            for (second, of_second) in &places[i + 1..] {
                let pairs = of_first.iter().flat_map(|(_, a)| of_second.iter().map(move |(_, b)| (a, b)));
                let mut found = pairs.map(|(a, b)| look.have_taken_others((*first, a), (*second, b)));
                let Some(one) = found.next() else { continue };
                if one.is_err() && !found.any(|check| check.is_ok()) {
                    return one;
                }
            }
        }
        self.check_touches(look, &places)
    }

    fn check_touches(&mut self, look: &Look<'_, '_>, places: &[(ThreadId, Vec<Place>)]) -> Check {
        let mut touches: Vec<(ThreadId, Touch, Vec<AbstractAccess>)> = Vec::new();
        for (thread, nodes) in places {
            let Some(edge) = self.machine.next(look.state, *thread).edge() else { continue };
            for touch in self.machine.touches(look.state, *thread) {
                if !look.is_valid(&touch) {
                    continue;
                }
                let mut fitting = Vec::new();
                for (node, state) in nodes {
                    let accesses =
                        self.accesses.entry(*node).or_insert_with(|| self.facts.accesses(self.machine.program, *node));
                    let is = |access: &&AbstractAccess| {
                        Arc::ptr_eq(&access.state, state)
                            && access.edge == edge
                            && look.is_touch(*thread, access, &touch)
                    };
                    fitting.extend(accesses.iter().filter(is).cloned());
                }
                if fitting.is_empty() {
                    return Err(format!("{thread} makes an access that is not known: {touch:?}"));
                }
                touches.push((*thread, touch, fitting));
            }
        }
        for (i, (first, a, of_first)) in touches.iter().enumerate() {
            for (second, b, of_second) in &touches[i + 1..] {
                let overlap = Touch { atomic: false, ..*a }.conflicts(b);
                if first != second && overlap {
                    self.check_pair(look, (*first, a, of_first), (*second, b, of_second))?;
                }
            }
        }
        Ok(())
    }

    fn check_pair(
        &self,
        look: &Look<'_, '_>,
        (first, a, of_first): (ThreadId, &Touch, &[AbstractAccess]),
        (second, b, of_second): (ThreadId, &Touch, &[AbstractAccess]),
    ) -> Check {
        let program = self.machine.program;
        let in_section = |thread: ThreadId| look.state.thread(thread).atomic > 0;
        let excused = |sharing: Sharing| match sharing {
            Sharing::Contended => true,
            Sharing::Atomic => a.atomic && b.atomic,
            Sharing::Protected => in_section(first) && in_section(second),
            _ => false,
        };
        let known = |access: &&AbstractAccess| !self.facts.is_local(access);
        let noted = |access: &AbstractAccess| {
            let sharing = self.pairs.sharing.get(&(access.node, access.edge));
            sharing.is_some_and(|sharing| excused(*sharing) || *sharing == Sharing::Contended)
        };
        let covered = of_first.iter().filter(known).any(|x| {
            of_second.iter().filter(known).any(|y| {
                // Of which of two accesses one speaks first must not matter.
                x.base == y.base
                    && excused(self.facts.relation(program, x, y))
                    && excused(self.facts.relation(program, y, x))
                    && noted(x)
                    && noted(y)
            })
        });
        let is_race = a.conflicts(b) && !(in_section(first) && in_section(second));
        if is_race && self.pairs.racing.is_empty() && !self.pairs.is_partial {
            return Err(format!("{first} and {second} race, but the program is proved not to: {a:?} {b:?}"));
        }
        if !covered {
            let relations: Vec<_> = of_first
                .iter()
                .flat_map(|x| {
                    of_second.iter().map(move |y| {
                        (
                            x.base,
                            self.facts.is_local(x),
                            y.base,
                            self.facts.is_local(y),
                            self.facts.relation(program, x, y),
                        )
                    })
                })
                .collect();
            return Err(format!("{first} and {second} touch the same, but are kept apart: {a:?} {b:?} {relations:?}"));
        }
        Ok(())
    }
}

/// Where something may happen that a property forbids.
struct Targets {
    errors: Vec<Span>,
    overflows: Vec<Span>,
    accesses: Vec<Span>,
    frees: Vec<Span>,
    undefined: Vec<Span>,
}

impl Targets {
    fn of(program: &Program, facts: &Facts) -> Targets {
        Targets {
            errors: facts.errors(program),
            overflows: facts.overflows(program),
            accesses: facts.invalid_accesses(program),
            frees: facts.invalid_frees(program),
            undefined: facts.undefined(program),
        }
    }

    fn allow(&self, span: Span, effects: &Effects) -> Check {
        if let Some(Ending::Undefined(what)) = effects.ending {
            // What is called by an edge that ends a thread was given elsewhere.
            let elsewhere = what == Undefined::Call && !self.undefined.is_empty();
            if !self.undefined.contains(&span) && !elsewhere {
                return Err(format!("{what:?} was excluded"));
            }
        }
        for violation in &effects.violations {
            let known = match violation {
                Violation::Error(_) => &self.errors,
                Violation::Overflow => &self.overflows,
                Violation::InvalidAccess => &self.accesses,
                Violation::InvalidFree => &self.frees,
                Violation::Undefined => continue,
            };
            // Handlers and destructors are called by an edge that ends a thread: that they are functions is asked elsewhere.
            if !known.contains(&span) {
                return Err(format!("{violation:?} was excluded"));
            }
        }
        Ok(())
    }
}

struct Guesses {
    random: Random,
    inputs: &'static [i64],
}

impl Environment for Guesses {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.random.pick(self.inputs) as i128 as u128
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.random.below(options as usize) as u32
    }

    fn print(&mut self, _: &[u8]) {}
}

//! Checks that a reached set is closed under steps: the first state is in it; whatever a step of the chosen threads leads to is in it; the
//! choices suffice; and no state or step shows a target. Nothing of the search that found the states is used.

use std::any::Any;

use analyses::bdd::Bdd;
use analyses::memory::Memory;
use analyses::monitor::MonitorStates;
use analyses::system::{Key, SystemState};
use analyses::threads::{self, Next};
use analyses::{
    Analysis, Answers, Control, Evidence, Kept, Product, ReachedSet, States, Step, System, Tables, Threads, Unknown,
};
use base::Alarm;
use program::Program;
use rustc_hash::FxHashMap;
use spec::Automaton;
use verify::{Certificate, Target, Targets, Visited};

/// If the alarm strikes, the set is not confirmed.
pub fn check(
    program: &Program,
    targets: Targets,
    specification: Option<&Automaton>,
    certificate: &dyn Certificate,
    alarm: &Alarm,
) -> Result<Visited, String> {
    let Some(set) = (certificate as &dyn Any).downcast_ref::<ReachedSet>() else {
        return Err("it is from an analysis that the checker does not know".to_owned());
    };
    if let Some(facts) = &set.facts {
        facts::recheck_within(program, facts, alarm)?;
    }
    if targets.contains(Target::Endless) {
        return Err("reached states say nothing of endless runs".to_owned());
    }
    if targets.contains(Target::Specification) && specification.is_none() {
        return Err("which specification is meant is not known".to_owned());
    }
    let Some((threads, tables, monitor_states)) = set.tables.take() else {
        return Err("its states are in use elsewhere".to_owned());
    };
    let threads = Threads::with(program, threads);
    let obligation = Obligation { program, targets, specification, set, alarm };
    match tables {
        Tables::Memory(options, memory) => {
            obligation.check_with(threads, Memory::with(program, options, memory).anew(), monitor_states)
        }
        Tables::Diagrams(options, memory, bdd) => {
            let data = Product(Memory::with(program, options, memory).anew(), Bdd::with(program, *bdd));
            obligation.check_with(threads, data, monitor_states)
        }
    }
}

/// What is to be checked.
struct Obligation<'m> {
    program: &'m Program,
    targets: Targets,
    specification: Option<&'m Automaton>,
    set: &'m ReachedSet,
    alarm: &'m Alarm,
}

impl<'m> Obligation<'m> {
    fn check_with<D: Evidence>(
        self,
        threads: Threads<'m>,
        data: D,
        monitor_states: MonitorStates,
    ) -> Result<Visited, String> {
        let Obligation { program, targets, specification, set, alarm } = self;
        let mut system = System::new(program, threads, data, set.reduction, set.facts.as_deref());
        system.limit(alarm);
        system.both.1.monitor_states = monitor_states;
        if let Some(automaton) = specification.filter(|_| targets.contains(Target::Specification)) {
            system.monitor(automaton);
        } else if set.symmetry {
            system.rename_threads(set.facts.as_deref());
        }
        let mut checker = Checker::new(system, &set.states, targets);
        let result = checker.check().map_err(|wrong| wrong.0.into_string());
        let visited = checker.visited;
        let Product(threads, monitored) = checker.system.both;
        let (data, monitor_states) = monitored.into_parts();
        *set.tables.borrow_mut() = Some((threads.into_tables(), data.into_tables(), monitor_states));
        result.map(|()| visited)
    }
}

struct Checker<'c, 'p, D: Evidence> {
    system: System<'p, D>,
    states: &'c [Kept],
    targets: Targets,
    by_key: FxHashMap<Key<D>, usize>,
    by_threads: FxHashMap<u32, Vec<usize>>,
    /// Of states from which not all threads go on: for each chosen thread, where its steps lead to.
    reduced: Vec<Option<Vec<Vec<usize>>>>,
    visited: Visited,
}

fn key_of<D: Evidence>(kept: &Kept) -> Key<D> {
    (kept.threads, (D::key(kept.data), kept.monitor))
}

/// Why a set of states is no proof.
struct Wrong(Box<str>);

impl From<Unknown> for Wrong {
    fn from(unknown: Unknown) -> Self {
        Wrong(unknown.describe().into())
    }
}

fn fail<T>(what: &str) -> Result<T, Wrong> {
    Err(Wrong(what.into()))
}

impl<'c, 'p, D: Evidence> Checker<'c, 'p, D> {
    fn new(system: System<'p, D>, states: &'c [Kept], targets: Targets) -> Self {
        let by_key = states.iter().enumerate().map(|(i, kept)| (key_of::<D>(kept), i)).collect();
        let mut by_threads: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, kept) in states.iter().enumerate() {
            by_threads.entry(kept.threads).or_default().push(i);
        }
        let visited = Visited::new(system.program);
        Checker { system, states, targets, by_key, by_threads, reduced: Vec::new(), visited }
    }

    fn check(&mut self) -> Result<(), Wrong> {
        let (initial, errs) = self.system.initial()?;
        if errs {
            return fail("the first state may be an error of the specification");
        }
        self.covering(initial)?;
        for i in 0..self.states.len() {
            if self.system.alarm().struck().is_some() {
                return fail("not all states are looked at");
            }
            let reduced = self.check_state(i)?;
            self.reduced.push(reduced);
        }
        self.check_cycle_proviso()
    }

    fn covering(&mut self, mut state: SystemState<D>) -> Result<usize, Wrong> {
        let (key, _) = self.system.store(&mut state);
        if let Some(i) = self.by_key.get(&key) {
            return Ok(*i);
        }
        let Some(candidates) = self.by_threads.get(&key.0) else { return fail("a state is not in the reached set") };
        let covers = |i: &&usize| self.system.both.leq(key, key_of::<D>(&self.states[**i]));
        candidates.iter().find(covers).copied().ok_or_else(|| Wrong("a state is not in the reached set".into()))
    }

    fn check_state(&mut self, i: usize) -> Result<Option<Vec<Vec<usize>>>, Wrong> {
        let kept = &self.states[i];
        let state = self.system.both.load(key_of::<D>(kept));
        self.visit(&state);
        let next = match self.system.next(&state) {
            Ok(next) => next,
            // The parts that together cover it must be there themselves.
            Err(unknown) => {
                for mut part in self.system.parts(&state).ok_or(unknown)? {
                    let (key, _) = self.system.store(&mut part);
                    if key == key_of::<D>(kept) || !self.by_key.contains_key(&key) {
                        return fail("a part of a state is not in the reached set");
                    }
                }
                return Ok(None);
            }
        };
        self.check_targets(&state, &next)?;
        let enabled = self.system.enabled(&state, &next);
        let mut chosen: Vec<usize> = match &kept.chosen {
            Some(chosen) => chosen.iter().map(|thread| usize::from(*thread)).collect(),
            None => enabled.to_vec(),
        };
        chosen.sort_unstable();
        chosen.dedup();
        if chosen.iter().any(|thread| !enabled.contains(thread)) {
            return fail("a chosen thread cannot go on");
        }
        let is_reduced = chosen.len() < enabled.len();
        if is_reduced && !self.system.suffices(&state, &next, &enabled, &chosen) {
            return fail("the chosen threads do not suffice at a state");
        }
        let mut chosen_arrivals = Vec::new();
        for thread in chosen {
            let expansion = self.system.expand(state.clone(), thread, &next[thread])?;
            if let Some((missing, _)) = expansion.missing {
                return Err(missing.into());
            }
            let is_target = |target: Target| self.targets.contains(target);
            if expansion.findings.iter().any(|(finding, _)| is_target(Target::of(finding.violation))) {
                return fail("a step from a state shows a target");
            }
            if !expansion.errors.is_empty() {
                return fail("a step from a state may be an error of the specification");
            }
            expansion.arrivals.iter().flat_map(|(_, path)| path).for_each(|step| self.follow(step));
            let arrivals = expansion.arrivals.into_iter();
            let arrivals = arrivals.map(|(state, _)| self.covering(state)).collect::<Result<Vec<usize>, Wrong>>()?;
            // Where runs end, others must go on from here.
            if !expansion.ends && !arrivals.is_empty() {
                chosen_arrivals.push(arrivals);
            }
        }
        Ok(is_reduced.then_some(chosen_arrivals))
    }

    /// Notes the locations of the threads.
    fn visit(&mut self, state: &SystemState<D>) {
        let threads = self.system.threads();
        let all = 0..threads.threads(&state.0) as u32;
        for thread in all.filter(|thread| !threads.is_finished(&state.0, *thread)) {
            self.visited.visit(threads.function(&state.0, thread), threads.location(&state.0, thread));
        }
    }

    /// A step is made, perhaps from a state that is not in the reached set.
    fn follow(&mut self, step: &Step) {
        self.visited.visit(step.function, self.system.program.functions[step.function].edges[step.edge].from);
        if matches!(step.control, Control::Create { .. }) {
            self.visited.create(step.function, step.edge);
        }
    }

    fn check_targets(&mut self, state: &SystemState<D>, next: &[Next]) -> Result<(), Wrong> {
        if self.targets.contains(Target::Race) && self.system.race(state, next)?.is_some() {
            return fail("a state has a race");
        }
        if self.targets.contains(Target::Deadlock) && threads::is_deadlock(next) {
            return fail("a state is a deadlock");
        }
        if self.system.waits_in_error(state, next) {
            return fail("a call that waits may be an error of the specification");
        }
        if self.targets.contains(Target::Lost) || self.targets.contains(Target::NotFreed) {
            if self.system.reduction != analyses::Reduction::None {
                return fail("the reduction does not preserve lost memory");
            }
            let Some(blocks) = self.system.both.blocks(state) else { return fail("the heap is not known") };
            if blocks.lost && self.targets.contains(Target::Lost) {
                return fail("a state has lost memory");
            }
            if blocks.live && self.targets.contains(Target::NotFreed) && self.system.may_return(state, next) {
                return fail("a state ends with memory that is not freed");
            }
        }
        Ok(())
    }

    /// From every state on, by steps of the chosen threads, one is reached from which all go on: so no thread is put off for ever
    /// (the cycle proviso of partial-order reduction).
    fn check_cycle_proviso(&self) -> Result<(), Wrong> {
        let mut users: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.states.len()];
        let mut missing: Vec<Vec<usize>> = Vec::with_capacity(self.states.len());
        let mut work = Vec::new();
        for (i, reduced) in self.reduced.iter().enumerate() {
            match reduced {
                None => {
                    work.push(i);
                    missing.push(Vec::new());
                }
                Some(chosen) => {
                    for (choice, arrivals) in chosen.iter().enumerate() {
                        arrivals.iter().for_each(|to| users[*to].push((i, choice)));
                    }
                    missing.push(chosen.iter().map(|arrivals| arrivals.len()).collect());
                }
            }
        }
        let mut done = vec![false; self.states.len()];
        work.iter().for_each(|i| done[*i] = true);
        while let Some(i) = work.pop() {
            for (user, choice) in std::mem::take(&mut users[i]) {
                missing[user][choice] -= 1;
                if missing[user][choice] == 0 && !done[user] {
                    done[user] = true;
                    work.push(user);
                }
            }
        }
        if done.iter().all(|done| *done) { Ok(()) } else { fail("a thread may be put off for ever") }
    }
}

//! Blocks against the explorer: what is called a mover is one in every state, and a scheduler that switches threads only outside
//! blocks shows every thread's steps and mistakes. What is contended is taken from all states, then from the facts.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start.

mod corners;
mod explore;
mod figures;
mod observed;
mod swap;

use base::Budget;
use explore::{Mistake, Scheduler, Space, explore};
use facts::Movers;
use facts::blocks::{Blocks, Circumstances};
use observed::Observed;
use program::Program;
use semantics::{Machine, State};
use testing::generate::GenerateOptions;
use testing::{Listed, files, name};

const MOST_STATES: usize = 20_000;
/// States of one program in which steps are swapped.
const SWAPS: usize = 300;

#[test]
fn blocks_keep_what_random_programs_do() {
    let all =
        testing::on_suitable_programs(60, |_| GenerateOptions::default(), |_, program| compare(program, &[0, 1, -2]));
    println!("{:?}", sum(&all));
}

#[test]
fn blocks_keep_what_the_test_programs_do() {
    let all = testing::on_files(&files("tests/programs"), |path, Listed { program, inputs }| {
        let Some(figures) = compare(program, inputs)? else {
            return Ok(Figures { too_large: 1, ..Figures::default() });
        };
        let (observed, known) = (figures.observed.states, figures.known.states);
        println!("{:40} {:6} states, {observed:6} reduced, {known:6} by the facts", name(path), figures.full);
        Ok(figures)
    });
    println!("{:?}", sum(&all));
}

fn sum(all: &[Figures]) -> Figures {
    let mut total = Figures::default();
    all.iter().for_each(|figures| total.add(figures));
    total
}

#[derive(Default, Debug)]
struct Figures {
    programs: usize,
    too_large: usize,
    /// Of which there are no facts.
    unknown: usize,
    /// Programs with a mistake, and mistakes.
    mistaken: usize,
    mistakes: usize,
    full: usize,
    /// By what is seen in all states, and by the facts.
    observed: Reduction,
    known: Reduction,
}

#[derive(Default, Debug)]
struct Reduction {
    /// States that the scheduler of blocks passes, and those of them in which it may switch.
    states: usize,
    between: usize,
    /// Pairs of steps that were swapped.
    swapped: usize,
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.programs += other.programs;
        self.too_large += other.too_large;
        self.unknown += other.unknown;
        self.mistaken += other.mistaken;
        self.mistakes += other.mistakes;
        self.full += other.full;
        self.observed.add(&other.observed);
        self.known.add(&other.known);
    }
}

impl Reduction {
    fn add(&mut self, other: &Reduction) {
        self.states += other.states;
        self.between += other.between;
        self.swapped += other.swapped;
    }
}

/// `None` if there are too many states.
fn compare(program: &Program, inputs: &[i64]) -> Result<Option<Figures>, String> {
    let machine = Machine::new(program);
    let Some(full) = explore(&machine, inputs, MOST_STATES, Scheduler::Free) else { return Ok(None) };
    let observed = Observed::new(&machine, &full.states);
    let seen = reduce(&machine, inputs, &full, &observed)?;
    let facts = facts::analyze(program, &Budget::unlimited()).ok();
    let known = match &facts {
        Some(facts) => {
            let movers = facts.movers(program);
            missed(&machine, &observed, &full, &movers)?;
            reduce(&machine, inputs, &full, &movers).map_err(|message| format!("by the facts: {message}"))?
        }
        None => Reduction { states: full.states.len(), between: full.states.len(), swapped: 0 },
    };
    Ok(Some(Figures {
        programs: 1,
        too_large: 0,
        unknown: usize::from(facts.is_none()),
        mistaken: usize::from(!full.mistakes.is_empty()),
        mistakes: full.mistakes.len(),
        full: full.states.len(),
        observed: seen,
        known,
    }))
}

/// Movers must swap, and blocks must show what can be seen without.
fn reduce(
    machine: &Machine<'_>,
    inputs: &[i64],
    full: &Space,
    circumstances: &dyn Circumstances,
) -> Result<Reduction, String> {
    let swapped = swap_all(machine, circumstances, inputs, &full.states)?;
    let blocks = Blocks::of(machine.program, circumstances);
    let reduced = explore(machine, inputs, MOST_STATES, Scheduler::Outside(&blocks))
        .ok_or("more states with blocks than without")?;
    if reduced.mistakes != full.mistakes {
        return Err(format!("mistakes {:?}, with blocks {:?}", full.mistakes, reduced.mistakes));
    }
    if let Some(step) = full.steps.iter().find(|step| !reduced.steps.contains(step)) {
        return Err(format!("not seen with blocks: {step:?}"));
    }
    if let Some(step) = reduced.steps.iter().find(|step| !full.steps.contains(step)) {
        return Err(format!("seen only with blocks: {step:?}"));
    }
    Ok(Reduction { states: reduced.states.len(), between: reduced.between, swapped })
}

/// What is seen in some state must be known: contention, callees, failures.
fn missed(machine: &Machine<'_>, observed: &Observed<'_>, full: &Space, movers: &Movers) -> Result<(), String> {
    for (id, function) in machine.program.functions.iter_enumerated() {
        for (edge, e) in function.edges.iter_enumerated() {
            if observed.is_seen_contended(id, edge) && !movers.is_contended(id, edge) {
                return Err(format!("contended against the facts: {} {edge} {:?}", function.name, e.op));
            }
        }
    }
    for (id, edge, mistake) in &full.mistakes {
        if matches!(mistake, Mistake::Undefined(_)) && !movers.may_fail(*id, *edge) {
            let function = &machine.program.functions[*id];
            return Err(format!("fails against the facts: {} {edge} {:?}", function.name, function.edges[*edge].op));
        }
    }
    Ok(())
}

fn swap_all(
    machine: &Machine<'_>,
    circumstances: &dyn Circumstances,
    inputs: &[i64],
    states: &[State],
) -> Result<usize, String> {
    let every = states.len().div_ceil(SWAPS).max(1);
    states.iter().step_by(every).map(|state| swap::check(machine, circumstances, inputs, state)).sum()
}

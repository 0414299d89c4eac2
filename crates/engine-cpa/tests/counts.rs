//! How many states and transitions classic programs have with each reduction. A number that changes is a change of what is explored:
//! look why before you accept it.
//!
//! Searches are run to the end, for a target that no run reaches, and once more for the program's own target, whose verdict must be
//! the listed one. `>` is given where there are more than [`MOST_STATES`] states; larger sizes are not tried then.

mod support;

use std::fmt::Write as _;

use engine_cpa::{CpaEngine, Options, Order, Reduction, Strategy};
use program::Program;
use verify::{SharedFacts, Statistic, Target, Verdict};

const MOST_STATES: u64 = 50_000;

const REDUCTIONS: [Reduction; 3] = [Reduction::None, Reduction::LocalGlobal, Reduction::Source];

struct Family {
    name: &'static str,
    file: &'static str,
    define: Option<&'static str>,
    sizes: std::ops::RangeInclusive<u32>,
    target: Target,
    violated: bool,
}

const fn family(name: &'static str, sizes: std::ops::RangeInclusive<u32>) -> Family {
    Family { name, file: name, define: None, sizes, target: Target::Error, violated: false }
}

fn families() -> Vec<Family> {
    let philosophers = Family { target: Target::Deadlock, ..family("philosophers", 2..=8) };
    vec![
        Family { violated: true, ..philosophers },
        Family {
            name: "philosophers ordered",
            file: "philosophers",
            define: Some("ORDERED"),
            target: Target::Deadlock,
            ..family("", 2..=8)
        },
        family("peterson", 1..=3),
        family("dekker", 1..=3),
        family("lamport", 1..=2),
        family("szymanski", 1..=3),
        family("buffer", 1..=4),
        family("fibonacci", 2..=6),
    ]
}

/// Threads of these have equals.
fn symmetric_families() -> Vec<Family> {
    let spawner = Family { name: "spawner of 4", define: Some("MOST=4"), ..family("spawner", 1..=3) };
    vec![family("workers", 2..=6), family("producers", 1..=3), spawner]
}

/// A search: its name, the reduction, and whether threads are renamed.
type Search = (&'static str, Reduction, bool);

fn engine((_, reduction, symmetry): Search) -> CpaEngine {
    let strategy = Strategy { fewest_threads: false, order: Order::Depth };
    CpaEngine::value(Options { reduction, symmetry, strategy, most_states: Some(MOST_STATES), ..Options::default() })
}

#[test]
fn classic_programs_have_so_many_states() {
    let names = ["none", "local", "source"];
    let searches: Vec<Search> = names.into_iter().zip(REDUCTIONS).map(|(name, r)| (name, r, true)).collect();
    insta::assert_snapshot!(table(families(), &searches));
}

#[test]
fn programs_with_equal_threads_have_so_many_states() {
    let searches = [
        ("none, no symmetry", Reduction::None, false),
        ("none", Reduction::None, true),
        ("source, no symmetry", Reduction::Source, false),
        ("source", Reduction::Source, true),
    ];
    insta::assert_snapshot!(table(symmetric_families(), &searches));
}

/// Without symmetry or reduction there are states without end.
#[test]
fn a_program_that_creates_threads_for_ever_has_so_many_states() {
    insta::assert_snapshot!(table(vec![family("spawner", 1..=4)], &[("source", Reduction::Source, true)]));
}

/// A line for each program, a column for each search.
fn table(families: Vec<Family>, searches: &[Search]) -> String {
    let mut table = format!("{:24}", "states (transitions)");
    searches.iter().for_each(|(name, ..)| table.push_str(&format!("{name:>20}")));
    table.push('\n');
    let mut wrong = Vec::new();
    for family in families {
        let mut is_too_large = vec![false; searches.len()];
        for n in family.sizes.clone() {
            let program = support::parametrised(family.file, n, family.define);
            let facts = SharedFacts::default();
            let _ = write!(table, "{:24}", format!("{} {n}", family.name));
            for (search, is_too_large) in searches.iter().zip(&mut is_too_large) {
                let cell = match *is_too_large {
                    true => None,
                    false => count(&program, &facts, *search),
                };
                *is_too_large = cell.is_none();
                let _ = write!(table, "{:>20}", cell.as_deref().unwrap_or(">"));
                if cell.is_some() {
                    let verdict = support::run(&mut engine(*search), &program, &facts, family.target).verdict;
                    if !is_right(&program, &family, &verdict) {
                        wrong.push(format!("{} {n}, {search:?}", family.name));
                    }
                }
            }
            table.push('\n');
        }
    }
    assert!(wrong.is_empty(), "wrong verdicts: {}", wrong.join("; "));
    table
}

/// `None` if there are too many.
fn count(program: &Program, facts: &SharedFacts, search: Search) -> Option<String> {
    let outcome = support::run(&mut engine(search), program, facts, Target::Endless);
    let Verdict::Open(verify::Reason::Beyond(_)) = outcome.verdict else { return None };
    let [states, transitions] =
        [Statistic::States, Statistic::Transitions].map(|what| support::statistic(&outcome, what));
    Some(format!("{states} ({transitions})"))
}

/// Evidence is checked, too.
fn is_right(program: &Program, family: &Family, verdict: &Verdict) -> bool {
    let targets = [family.target].into_iter().collect();
    match verdict {
        Verdict::Holds(proof) => !family.violated && certify::check(program, targets, None, proof).is_ok(),
        Verdict::Violated { target, trace } => {
            let machine = semantics::Machine::new(program);
            family.violated && certify::confirm(&machine, *target, trace).is_ok()
        }
        Verdict::Open(_) => false,
    }
}

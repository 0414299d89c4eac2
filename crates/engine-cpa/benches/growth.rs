//! How the cost grows with the number of threads that add to a counter under a lock, with each reduction: joined threads, and equal
//! ones that no thread joins, with symmetry and without.
//!
//! `cargo bench -p engine-cpa --bench growth`; `-- 1000000` for another limit of states.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use engine_cpa::{CpaEngine, Options, Reduction, Track};
use verify::{Reason, SharedFacts, Statistic, Target, Verdict};

const MOST_THREADS: u32 = 10;
const MOST_STATES: u64 = 500_000;

/// A column: its name, the reduction, and whether threads are renamed.
type Search = (&'static str, Reduction, bool);

const JOINED: &[Search] = &[
    ("none", Reduction::None, true),
    ("local", Reduction::LocalGlobal, true),
    ("source", Reduction::Source, true),
    ("source, no symmetry", Reduction::Source, false),
];

const EQUAL: &[Search] = &[
    ("none, no symmetry", Reduction::None, false),
    ("none", Reduction::None, true),
    ("source, no symmetry", Reduction::Source, false),
    ("source", Reduction::Source, true),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let most = words.first().map_or(MOST_STATES, |word| word.parse().expect("a number of states"));
    println!("states and seconds; > where there are more than {most} states");
    for (title, program, searches) in [("joined", "counter", JOINED), ("equal", "workers", EQUAL)] {
        print!("{title:>7}");
        searches.iter().for_each(|(name, ..)| print!(" {name:>20}"));
        println!();
        let mut is_too_large = vec![false; searches.len()];
        for n in 1..=MOST_THREADS {
            print!("{n:>7}");
            for (search, is_too_large) in searches.iter().zip(&mut is_too_large) {
                let cell = if *is_too_large { None } else { measure(program, n, *search, most) };
                *is_too_large = cell.is_none();
                print!(" {:>20}", cell.unwrap_or_else(|| ">".to_owned()));
            }
            println!();
        }
    }
}

/// All states. `None` if there are too many.
fn measure(program: &str, n: u32, (_, reduction, symmetry): Search, most: u64) -> Option<String> {
    let program = support::parametrised(program, n, None);
    let options = Options { reduction, symmetry, track: Track::All, most_states: Some(most), ..Options::default() };
    let begin = Instant::now();
    let outcome = support::run(&mut CpaEngine::value(options), &program, &SharedFacts::default(), Target::Endless);
    let Verdict::Open(Reason::Beyond(_)) = outcome.verdict else { return None };
    Some(format!("{} {:9.3}", support::statistic(&outcome, Statistic::States), begin.elapsed().as_secs_f64()))
}

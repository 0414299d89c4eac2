//! How the cost grows with the number of threads that add to a counter under a lock, with each reduction.
//!
//! `cargo bench -p engine-cpa --bench growth`; `-- 1000000` for another limit of states.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use engine_cpa::{CpaEngine, Options, Reduction};
use verify::{Reason, SharedFacts, Target, Verdict};

const MOST_THREADS: u32 = 10;
const MOST_STATES: u64 = 500_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let most = words.first().map_or(MOST_STATES, |word| word.parse().expect("a number of states"));
    println!("states and seconds; > where there are more than {most} states");
    println!("{:>7} {:>20} {:>20} {:>20}", "threads", "none", "local", "source");
    let mut is_too_large = [false; 3];
    for n in 1..=MOST_THREADS {
        print!("{n:>7}");
        let reductions = [Reduction::None, Reduction::LocalGlobal, Reduction::Source];
        for (reduction, is_too_large) in reductions.into_iter().zip(&mut is_too_large) {
            let cell = if *is_too_large { None } else { measure(n, reduction, most) };
            *is_too_large = cell.is_none();
            print!(" {:>20}", cell.unwrap_or_else(|| ">".to_owned()));
        }
        println!();
    }
}

/// All states. `None` if there are too many.
fn measure(n: u32, reduction: Reduction, most: u64) -> Option<String> {
    let program = support::parametrised("counter", n, None);
    let options = Options { reduction, most_states: Some(most), ..Options::default() };
    let begin = Instant::now();
    let outcome = support::run(&mut CpaEngine::value(options), &program, &SharedFacts::default(), Target::Endless);
    let Verdict::Open(Reason::Beyond(_)) = outcome.verdict else { return None };
    Some(format!("{} {:9.3}", support::statistic(&outcome, "states"), begin.elapsed().as_secs_f64()))
}

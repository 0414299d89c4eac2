//! How long engines, and the check of their proofs, go on after they are cancelled: at most 100 ms.
//!
//! `cargo bench -p strategy`; `cargo bench -p strategy -- 3000 FILE...` to cancel after so many milliseconds. Files need no
//! preprocessing or are C files of tests. Says which were slower than that, and the slowest of each engine.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use base::Budget;
use engine_cpa::{CpaEngine, Options};
use engine_random::RandomEngine;
use engine_static::StaticEngine;
use program::Program;
use verify::{Engine, SharedFacts, Silent, Target, Targets, Task, Verdict};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SOON: Duration = Duration::from_millis(100);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let delay = words.first().map_or(50, |word| word.parse().expect("milliseconds"));
    let files: Vec<PathBuf> = words.iter().skip(1).map(PathBuf::from).collect();
    let files = if files.is_empty() { testing::files("tests/programs") } else { files };
    let programs = files.iter().filter_map(|file| Some((testing::name(file), testing::read(file).ok()?.program)));
    let programs: Vec<(String, Program)> = programs.collect();
    println!("{} programs, cancelled after {delay} ms", programs.len());
    for engine in engines() {
        measure(engine, &programs, Duration::from_millis(delay));
    }
}

fn engines() -> Vec<Box<dyn Engine>> {
    let options = || Options { always: true, ..Options::default() };
    vec![
        Box::new(StaticEngine),
        Box::new(RandomEngine { seed: 1, runs: None }),
        Box::new(CpaEngine::value(options())),
        Box::new(CpaEngine::interval(options())),
        Box::new(CpaEngine::bdd(options())),
        Box::new(CpaEngine::value_and_bdd(options())),
    ]
}

fn measure(mut engine: Box<dyn Engine>, programs: &[(String, Program)], delay: Duration) {
    let (mut cancelled, mut slowest) = (0, Duration::ZERO);
    for (name, program) in programs {
        for (what, late) in late(&mut *engine, program, delay).into_iter().flatten() {
            cancelled += 1;
            slowest = slowest.max(late);
            if late > SOON {
                println!("  {} {what} {name}: {late:?}", engine.name());
            }
        }
    }
    println!("{:10} cancelled {cancelled} times, slowest {slowest:?}", engine.name());
}

/// How late the engine and the check of its proof are; nothing of who ends before being cancelled.
fn late(engine: &mut dyn Engine, program: &Program, delay: Duration) -> [Option<(&'static str, Duration)>; 2] {
    let (facts, targets): (_, Targets) = (SharedFacts::default(), [Target::Error, Target::Race].into_iter().collect());
    let task = Task { program, targets, specification: None, facts: &facts, condition: None };
    let (outcome, late) =
        cancel_after(delay, |budget| engine.run(&task, budget, &mut Silent).expect("it does not fail"));
    let checked = match outcome.verdict {
        Verdict::Holds(proof) => {
            cancel_after(delay, |budget| certify::check_within(program, targets, None, &proof, budget).is_ok()).1
        }
        _ => None,
    };
    [late.map(|late| ("run", late)), checked.map(|late| ("check", late))]
}

/// Does the work in this thread, which its result need not leave; another one cancels it.
fn cancel_after<R>(delay: Duration, work: impl FnOnce(&Budget) -> R) -> (R, Option<Duration>) {
    // Engines divide their time.
    let budget = &Budget::unlimited().with_time(delay * 20);
    let (sender, done) = mpsc::channel();
    thread::scope(|threads| {
        let canceller = threads.spawn(move || {
            let is_busy = done.recv_timeout(delay) == Err(RecvTimeoutError::Timeout);
            let start = Instant::now();
            budget.cancel();
            is_busy.then_some(start)
        });
        let result = work(budget);
        let end = Instant::now();
        let _ = sender.send(());
        let start = canceller.join().expect("it does not panic");
        (result, start.map(|start| end.saturating_duration_since(start)))
    })
}

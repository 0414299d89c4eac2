//! Heddle against the world: random programs, many in one binary, compiled by gcc and run under many schedules, plainly, with
//! AddressSanitizer and UndefinedBehaviorSanitizer, and with ThreadSanitizer. What was seen in a run must not be proved absent, and
//! every result that was printed is an error that must not be proved unreachable.
//!
//! `HEDDLE_NATIVE_PROGRAMS=20000` sets how many programs, `HEDDLE_NATIVE_SEED` the first one's seed, `HEDDLE_NATIVE_BINARY` another
//! Heddle than the one that was built with this test. Programs with differences are kept in `target/tmp/native-differences`.

mod batch;
mod judge;
mod seen;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use batch::Case;
use judge::{Judged, judge};
use seen::Seen;
use testing::generate::generate_wide;
use testing::number;

const BATCH: u64 = 50;

/// After so many programs a long run says what it has found so far.
const PROGRESS: usize = 1000;

#[test]
fn nothing_that_machines_do_is_proved_absent() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let count = number("HEDDLE_NATIVE_PROGRAMS", 60);
    let first = number("HEDDLE_NATIVE_SEED", 0);
    let next = AtomicU64::new(first);
    let summary = Mutex::new(Summary::default());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let folder = folder(&format!("native-{first}-{worker}"));
            let (next, summary) = (&next, &summary);
            let work = move || {
                loop {
                    let from = next.fetch_add(BATCH, Ordering::Relaxed);
                    if from >= first + count {
                        return;
                    }
                    check(from..(from + BATCH).min(first + count), &folder, summary);
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    let summary = summary.into_inner().expect("no worker failed");
    summary.print();
    assert!(summary.differences.is_empty(), "{} programs differ", summary.differences.len());
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&path).expect("the folder can be made");
    path
}

fn check(seeds: std::ops::Range<u64>, folder: &Path, summary: &Mutex<Summary>) {
    let cases: Vec<Case> = seeds.map(|seed| Case { seed, program: generate_wide(seed) }).collect();
    let mut seen: BTreeMap<u64, Seen> = BTreeMap::new();
    for run in batch::run(&cases, folder) {
        seen.entry(run.seed).or_default().add(&run);
    }
    for case in &cases {
        let seen = seen.remove(&case.seed).unwrap_or_default();
        let judged = judge(case, &seen, folder);
        if !judged.differences.is_empty() {
            keep(case.seed, folder, &judged);
        }
        summary.lock().expect("no worker failed").add(case.seed, &seen, judged);
    }
}

/// The program as Heddle saw it, with what is wrong.
fn keep(seed: u64, from: &Path, judged: &Judged) {
    let text = std::fs::read_to_string(from.join("program.i")).expect("the program was written");
    let comments: String = judged.differences.iter().map(|line| format!("// {line}\n")).collect();
    std::fs::write(folder("native-differences").join(format!("{seed}.c")), comments + &text).expect("it can be kept");
    println!("seed {seed}:\n  {}", judged.differences.join("\n  "));
}

#[derive(Default)]
struct Summary {
    programs: usize,
    explored: usize,
    /// Programs in which each thing was seen.
    seen: BTreeMap<&'static str, usize>,
    verdicts: BTreeMap<String, usize>,
    differences: Vec<u64>,
}

impl Summary {
    fn add(&mut self, seed: u64, seen: &Seen, judged: Judged) {
        self.programs += 1;
        self.explored += usize::from(judged.explored);
        let kinds = [
            ("a result", !seen.results.is_empty()),
            ("several results", seen.results.len() > 1),
            ("a failed assertion", seen.failed),
            ("an overflow", seen.overflow.is_some()),
            ("a memory error", seen.memory.is_some()),
            ("undefined behaviour", seen.undefined.is_some()),
            ("a race", seen.race.is_some()),
            ("a block not freed", seen.not_freed),
            ("no end in time", seen.timeout),
        ];
        kinds.iter().filter(|(_, is)| *is).for_each(|(kind, _)| *self.seen.entry(kind).or_default() += 1);
        judged.verdicts.into_iter().for_each(|(verdict, times)| *self.verdicts.entry(verdict).or_default() += times);
        if !judged.differences.is_empty() {
            self.differences.push(seed);
        }
        if self.programs.is_multiple_of(PROGRESS) {
            self.print();
        }
    }

    fn print(&self) {
        println!("verdicts: {:?}", self.verdicts);
        println!("seen in programs: {:?}", self.seen);
        println!("{} programs, {} explored; differences: {:?}", self.programs, self.explored, self.differences);
    }
}

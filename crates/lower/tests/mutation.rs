//! Mutated programs through the whole front end: it may refuse them, but must not panic, overflow its stack, hang or
//! take much memory.
//!
//! `HEDDLE_MUTATIONS=100000` sets how many, `HEDDLE_MUTATION_SEED` which; `HEDDLE_CORPUS=DIR` adds the C files below a
//! folder to this project's own programs as seeds.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use testing::number;

const WORKERS: usize = 2;
const STACK: usize = 1 << 30;
const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT_KB: u64 = 1 << 20;

/// Which mutant a worker is busy with, and since when.
type Running = Mutex<Option<(u64, Instant)>>;

#[test]
fn mutated_programs_are_taken_or_refused() {
    let count = number("HEDDLE_MUTATIONS", 3000);
    let seed = number("HEDDLE_MUTATION_SEED", 1);
    let seeds = Arc::new(seed_texts());
    assert!(seeds.len() >= 8, "too few seed programs were found");
    let next = Arc::new(AtomicU64::new(0));
    let accepted = Arc::new(AtomicUsize::new(0));
    let (report, reports) = mpsc::channel();
    let running: Arc<Vec<Running>> = Arc::new((0..WORKERS).map(|_| Mutex::new(None)).collect());
    for worker in 0..WORKERS {
        let (seeds, next, accepted, running, report) =
            (seeds.clone(), next.clone(), accepted.clone(), running.clone(), report.clone());
        let work = move || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    break;
                }
                *running[worker].lock().unwrap() = Some((index, Instant::now()));
                let text = mutant(&seeds, seed.wrapping_mul(1 << 32) + index);
                let model = if index % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
                match std::panic::catch_unwind(|| goes_through(text, model)) {
                    Ok(true) => _ = accepted.fetch_add(1, Ordering::Relaxed),
                    Ok(false) => {}
                    Err(_) => report.send(format!("panic on mutant {index} of seed {seed}")).unwrap(),
                }
                *running[worker].lock().unwrap() = None;
            }
            drop(report);
        };
        thread::Builder::new().stack_size(STACK).spawn(work).unwrap();
    }
    drop(report);
    let mut failures = Vec::new();
    loop {
        match reports.recv_timeout(Duration::from_secs(1)) {
            Ok(failure) => failures.push(failure),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                for slot in running.iter() {
                    if let Some((index, since)) = *slot.lock().unwrap() {
                        assert!(since.elapsed() < TIME_LIMIT, "mutant {index} of seed {seed} takes over 10 s");
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let peak = peak_memory_kb();
    assert!(peak < MEMORY_LIMIT_KB, "peak memory {peak} kB");
    println!(
        "{count} mutants of {} programs: {} accepted, peak memory {} MB",
        seeds.len(),
        accepted.load(Ordering::Relaxed),
        peak / 1024
    );
}

fn goes_through(text: String, model: DataModel) -> bool {
    let loaded = vec![Loaded { text, name: "mutant.i".to_owned() }];
    let Ok(build) = Build::new(loaded) else { return false };
    match build.lower(model) {
        Ok((program, _)) => {
            if let Err(fault) = program::check(&program) {
                panic!("ill-formed program: {fault}");
            }
            true
        }
        Err(_) => false,
    }
}

/// Own programs, and those of a corpus if one is named, preprocessed.
fn seed_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["examples", "crates/lower/tests/programs", "tests/programs"] {
        collect(&root.join(folder), &mut files);
    }
    if let Some(corpus) = std::env::var_os("HEDDLE_CORPUS") {
        collect(Path::new(&corpus), &mut files);
    }
    files.sort();
    files.iter().filter_map(|file| load(file, &PreprocessOptions::default()).ok()).map(|l| l.text).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
}

fn peak_memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("0");
    line.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// A small generator of pseudo-random numbers (xorshift), so that a mutant is named by its number alone.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

const FRAGMENTS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "=",
    "==",
    "?",
    ":",
    "...",
    "#",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\\n",
    "0",
    "-1",
    "4294967296",
    "18446744073709551616",
    "0x",
    "1e999",
    "1.0f",
    "'\\",
    "L\"",
    "int",
    "unsigned",
    "long long",
    "_Bool",
    "float",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "_Atomic",
    "_Alignas(64)",
    "inline",
    "sizeof",
    "__typeof__",
    "__attribute__((packed))",
    "__attribute__((aligned(0)))",
    "goto",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "break",
    "continue",
    "__extension__",
    "({",
    "})",
    "_Generic",
    "__builtin_va_list",
    "__builtin_offsetof",
    "asm(\"\")",
    "[1 << 30]",
    "[-1]",
    "{.x = 1}",
    "(int[]){1}",
    "a",
    "main",
    "int x[",
    "struct s { int a : 40; };",
    "_Static_assert(0);",
    "__int128",
    "&&",
    "||",
    "->",
    ".",
    "++",
    "<<=",
    "%",
    "~",
    "!",
];

fn mutant(seeds: &[String], number: u64) -> String {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..4).for_each(|_| _ = random.below(2));
    let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
    // Half of them change one word, so that many still parse and later stages see them.
    if random.below(2) == 0 {
        let at = random.below(bytes.len() + 1);
        replace_token(&mut bytes, at, &mut random);
    } else {
        (0..=random.below(6)).for_each(|_| mutate(&mut bytes, seeds, &mut random));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[String], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(9) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        1 => bytes.truncate(at),
        2 => {
            let end = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..end);
        }
        3 => insert(bytes, at, FRAGMENTS[random.below(FRAGMENTS.len())].as_bytes()),
        4 => {
            let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
            insert(bytes, at, fragment.repeat(1 + random.below(3000)).as_bytes());
        }
        5 => {
            let other = seeds[random.below(seeds.len())].as_bytes();
            let from = random.below(other.len());
            let to = (from + random.below(200)).min(other.len());
            insert(bytes, at, &other[from..to]);
        }
        _ => replace_token(bytes, at, random),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, text: &[u8]) {
    let padded: Vec<u8> = [b" ", text, b" "].concat();
    bytes.splice(at..at, padded);
}

/// Replaces, doubles or swaps the word at a position: most such mutants still parse.
fn replace_token(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let word_at = |bytes: &[u8], mut at: usize| {
        while at < bytes.len() && !is_word(&bytes[at]) {
            at += 1;
        }
        let end = at + bytes[at.min(bytes.len())..].iter().take_while(|b| is_word(b)).count();
        at.min(bytes.len())..end
    };
    let word = word_at(bytes, at);
    let other = word_at(bytes, random.below(bytes.len() + 1));
    let text = match random.below(3) {
        0 => FRAGMENTS[random.below(FRAGMENTS.len())].as_bytes().to_vec(),
        _ => bytes[other].to_vec(),
    };
    bytes.splice(word, text);
}

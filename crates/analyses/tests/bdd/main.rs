//! Threads, pointers and decision diagrams go in step with the interpreter: after every step of random runs one of the successors
//! stands for the state that the interpreter is in. Now and then states are joined, so that they stand for several.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod contain;
mod explore;
mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;
use program::Program;
use semantics::generate::{GenerateOptions, generate};

use explore::explore;
use run::{Effort, Tally, check};

const FILES: Effort = Effort { runs: 2, longest: 200 };
const RANDOM: Effort = Effort { runs: 3, longest: 200 };

#[test]
fn in_step_in_the_listed_programs() {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for folder in ["tests/programs", "examples", "crates/facts/tests/agreement/programs"] {
        for path in files(folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let checked = lowered(&path).and_then(|program| check(&program, &FILES, &mut tally));
            failures.extend(checked.err().map(|problem| format!("{name}: {problem}")));
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "{} programs failed:\n{}", failures.len(), failures.join("\n"));
    if std::env::var("HEDDLE_PROGRAM").is_err() {
        assert!(tally.given_up() * 20 < tally.runs, "{tally:?}");
    }
}

#[test]
fn in_step_in_random_programs() {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", 60), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for seed in first..first + count {
        let large = GenerateOptions { threads: 3, statements: 9, depth: 3, features: 8 };
        let text = generate(seed, &if seed % 3 == 2 { large } else { GenerateOptions::default() });
        let loaded = Loaded { text: text.clone(), name: "x.c".into() };
        let checked = lower_text(loaded, DataModel::Lp64).and_then(|program| check(&program, &RANDOM, &mut tally));
        if let Err(problem) = checked {
            println!("seed {seed}: {problem}\n{text}");
            failures.push(seed);
        }
    }
    println!("{tally:?}");
    assert!(failures.is_empty(), "seeds {failures:?}");
    assert!(tally.given_up() * 20 < tally.runs, "{tally:?}");
}

/// The example of the paper, and a smaller bound than holds.
#[test]
fn the_sum_of_two_threads_is_bounded() {
    let program = |bound: u32| {
        let text = format!(
            "typedef unsigned long pthread_t;
            extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
            extern int pthread_join(pthread_t, void **);
            extern void reach_error(void);
            int i = 1, j = 1;
            void *t1(void *p) {{ i += j; i += j; return 0; }}
            void *t2(void *p) {{ j += i; j += i; return 0; }}
            int main(void) {{
                pthread_t a, b;
                pthread_create(&a, 0, t1, 0);
                pthread_create(&b, 0, t2, 0);
                pthread_join(a, 0);
                pthread_join(b, 0);
                if (j > {bound}) reach_error();
                return 0;
            }}"
        );
        lower_text(Loaded { text, name: "x.c".into() }, DataModel::Lp64).unwrap()
    };
    let found = explore(&program(8)).unwrap();
    assert!(!found.error && !found.overflow, "{found:?}");
    assert!(explore(&program(7)).unwrap().error);
}

#[test]
fn inputs_stay_related_to_what_is_made_of_them() {
    let program = |condition: &str| {
        let text = format!(
            "extern unsigned __VERIFIER_nondet_uint(void);
            extern void reach_error(void);
            unsigned g, h;
            int main(void) {{
                unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
                g = x; h = y;
                if (g > 1000 || h > g) return 0;
                g = g + h; h = g - h; g = g - h;
                if ({condition}) reach_error();
                return 0;
            }}"
        );
        lower_text(Loaded { text, name: "x.c".into() }, DataModel::Lp64).unwrap()
    };
    for holds in ["g != y || h != x", "g > h", "(g + h) % 2 != (x ^ y) % 2", "h / 3 > 333", "g * 3 > 3000"] {
        let found = explore(&program(holds)).unwrap();
        assert!(!found.error, "{holds}: {found:?}");
    }
    for fails in ["g == h", "h / 3 == 333", "x * 3 == 2997"] {
        assert!(explore(&program(fails)).unwrap().error, "{fails}");
    }
}

#[test]
fn two_threads_exclude_each_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, fails) in
        [("examples/peterson.c", false), ("examples/counter_locked.c", false), ("examples/counter_racy.c", true)]
    {
        let found = explore(&lowered(&folder.join(path)).unwrap()).unwrap();
        println!("{path}: {found:?}");
        assert_eq!(found.error, fails, "{path}: {found:?}");
    }
}

fn files(folder: &str) -> BTreeSet<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let wanted = std::env::var("HEDDLE_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with(".c") && path.to_string_lossy().contains(&wanted);
    entries.filter(is_wanted).collect()
}

fn lowered(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let model = if text.contains("// model: ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let options = PreprocessOptions { m32: model == DataModel::Ilp32, ..Default::default() };
    lower_text(load(path, &options).map_err(|e| e.to_string())?, model)
}

fn lower_text(loaded: Loaded, model: DataModel) -> Result<Program, String> {
    let build = Build::new(vec![loaded]).map_err(|e| e.message)?;
    let (program, _) = build.lower(model).map_err(|f| f.diagnostic.message.clone())?;
    program::check(&program).map_err(|fault| format!("ill-formed: {fault}"))?;
    Ok(program)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}

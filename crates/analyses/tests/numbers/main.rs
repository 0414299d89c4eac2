//! Threads, pointers and numbers go in step with the interpreter: after every step of random runs one of the successors represents the
//! state that the interpreter is in. Now and then states are joined, so that they represent several. Numbers are decision diagrams and,
//! to show that nothing but them depends on that, constants.
//!
//! `HEDDLE_RANDOM_PROGRAMS=2000` sets how many random programs, `HEDDLE_RANDOM_PROGRAMS_SEED` where to start, `HEDDLE_PROGRAM=mutex`
//! takes only files with that in their names.

mod constants;
mod contain;
mod explore;
mod run;
#[path = "../support/mod.rs"]
mod support;

use analyses::bdd::{self, DecisionDiagrams};
use program::Program;
use testing::generate::GenerateOptions;

use constants::Constants;
use explore::explore;
use run::{Effort, Tally, check};

const FILES: Effort = Effort { runs: 2, longest: 200 };
const RANDOM: Effort = Effort { runs: 3, longest: 200 };

fn diagrams(program: &Program) -> DecisionDiagrams {
    DecisionDiagrams::new(program, bdd::Options { nodes: 1 << 19, cache: 1 << 17 })
}

const FOLDERS: [&str; 3] = ["tests/programs", "examples", "crates/facts/tests/agreement/programs"];

#[test]
fn in_step_in_the_listed_programs() {
    let tally =
        Tally::sum(support::in_folders(&FOLDERS, |program, tally| check(program, diagrams(program), &FILES, tally)));
    println!("{tally:?}");
    if std::env::var("HEDDLE_PROGRAM").is_err() {
        assert!(tally.given_up() * 20 < tally.runs, "{tally:?}");
    }
}

#[test]
fn in_step_in_random_programs() {
    let large = GenerateOptions { threads: 3, statements: 9, depth: 3, features: 8 };
    let tally =
        Tally::sum(support::in_random(60, &large, |program, tally| check(program, diagrams(program), &RANDOM, tally)));
    println!("{tally:?}");
    assert!(tally.given_up() * 20 < tally.runs, "{tally:?}");
}

/// After a join constants know less than others need: more runs are given up.
#[test]
fn constants_in_step_in_the_listed_programs() {
    let constants = |program: &Program, tally: &mut Tally| check(program, Constants::default(), &FILES, tally);
    let tally = Tally::sum(support::in_folders(&FOLDERS, constants));
    println!("{tally:?}");
    if std::env::var("HEDDLE_PROGRAM").is_err() {
        assert!(tally.given_up() * 5 < tally.runs && tally.joins > 0, "{tally:?}");
    }
}

#[test]
fn constants_in_step_in_random_programs() {
    let large = GenerateOptions { threads: 3, statements: 9, depth: 3, features: 8 };
    let constants = |program: &Program, tally: &mut Tally| check(program, Constants::default(), &RANDOM, tally);
    let tally = Tally::sum(support::in_random(60, &large, constants));
    println!("{tally:?}");
    assert!(tally.given_up() * 5 < tally.runs && tally.joins > 0, "{tally:?}");
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
        testing::program(&text)
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
        testing::program(&text)
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
    for (path, fails) in [("peterson.c", false), ("counter_locked.c", false), ("counter_racy.c", true)] {
        let found = explore(&testing::read(&testing::folder("examples").join(path)).unwrap().program).unwrap();
        println!("{path}: {found:?}");
        assert_eq!(found.error, fails, "{path}: {found:?}");
    }
}

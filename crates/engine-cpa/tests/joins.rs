//! Joins of states of one location vector, and of parts of states by the place of one: how much is explored, and what is
//! still known.

mod support;

use engine_cpa::{CpaEngine, Join, Options, Order, Strategy};
use program::Program;
use verify::{Outcome, SharedFacts, Statistic, Target, Verdict};

/// What the programs need.
const HEAD: &str = "typedef unsigned long pthread_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
    int pthread_join(pthread_t, void **); void reach_error(void);\n";

/// Three threads that count, and look at nothing but what they count themselves.
const COUNTERS: &str = "int x, y;\n\
    void *count(void *p) {\n\
        for (int i = 0; i < 100; i++) {\n\
            x = i;\n\
            for (int k = 0; k < 50; k++) { y = k; if (k > 50 || i > 100) reach_error(); }\n\
        }\n\
        return 0;\n\
    }\n\
    int main(void) {\n\
        pthread_t a, b, c;\n\
        pthread_create(&a, 0, count, 0); pthread_create(&b, 0, count, 0); pthread_create(&c, 0, count, 0);\n\
        if (x > 99 || y > 49 || x < 0 || y < 0) reach_error();\n\
        return 0;\n\
    }\n";

/// What is written depends on where the other thread is.
const TURNS: &str = "int x, y;\n\
    void *write(void *p) { x = 1; y = 1; x = 2; y = 2; return 0; }\n\
    int main(void) {\n\
        pthread_t a;\n\
        pthread_create(&a, 0, write, 0);\n\
        if (x > 2 || y > 2) reach_error();\n\
        pthread_join(a, 0);\n\
        if (x != 2) reach_error();\n\
        return 0;\n\
    }\n";

fn explored(text: &str, join: Join) -> (Program, Outcome) {
    let program = testing::program(&format!("{HEAD}{text}"));
    let strategy = Strategy { fewest_threads: false, order: Order::Depth };
    let options = Options { join, always: true, strategy, most_states: Some(50_000), ..Options::default() };
    let outcome = support::run(&mut CpaEngine::interval(options), &program, &SharedFacts::default(), Target::Error);
    (program, outcome)
}

/// States, transitions and comparisons of a proof that passes the check.
fn proof(text: &str, join: Join) -> [u64; 3] {
    let (program, outcome) = explored(text, join);
    let Verdict::Holds(proof) = &outcome.verdict else { panic!("{join:?}: {:?}", outcome.verdict) };
    let checked = certify::check(&program, [Target::Error].into_iter().collect(), None, proof);
    assert_eq!(checked, Ok(()), "{join:?}");
    [Statistic::States, Statistic::Transitions, Statistic::StopChecks].map(|what| support::statistic(&outcome, what))
}

#[test]
fn what_threads_know_of_themselves_is_found_once() {
    let (places, threads) = (proof(COUNTERS, Join::Places), proof(COUNTERS, Join::Threads));
    assert_eq!((places, threads), ([615, 11539, 20018], [615, 3207, 4493]));
}

#[test]
fn where_the_others_are_is_not_known_of_what_is_shared() {
    proof(TURNS, Join::Places);
    let (_, outcome) = explored(TURNS, Join::Threads);
    assert!(matches!(outcome.verdict, Verdict::Open(_)), "{:?}", outcome.verdict);
}

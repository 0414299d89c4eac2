//! What a portfolio needs: engines in threads of their own share a program, its facts and a budget; the first verdict cancels the
//! others. How soon they return is measured by `cargo bench -p strategy`.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use base::{Alarm, Budget, Limit};
use engine_cpa::{CpaEngine, Options};
use engine_random::RandomEngine;
use engine_static::StaticEngine;
use facts::Facts;
use program::Program;
use semantics::Trace;
use strategy::Sequence;
use verify::{Condition, Engine, Observer, Outcome, Property, Reason, SharedFacts, Silent, Task, Verdict};

/// Two numbers that grow without end.
const COUNTERS: &str = "
    typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    void reach_error(void);
    unsigned long long a, b;
    void *count(void *arg) { while (1) a += b + 1; }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, count, 0);
        while (1) { b += 3; if (a == 7 && b == 2) reach_error(); }
    }";

fn value() -> Box<dyn Engine> {
    Box::new(CpaEngine::value(Options { always: true, ..Options::default() }))
}

fn bdd() -> Box<dyn Engine> {
    Box::new(CpaEngine::bdd(Options { always: true, ..Options::default() }))
}

fn random() -> Box<dyn Engine> {
    Box::new(RandomEngine { seed: 1, runs: None })
}

fn task<'t>(program: &'t Program, facts: &'t SharedFacts) -> Task<'t> {
    Task { program, targets: Property::UnreachCall.targets(), specification: None, facts, condition: None }
}

/// What leaves the thread of an engine. A reached set does not: its proof is checked there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Proved,
    Violated,
    Cancelled,
    Open,
}

fn answer(task: &Task<'_>, outcome: &Outcome, budget: &Budget) -> Answer {
    match &outcome.verdict {
        Verdict::Holds(proof) => {
            let checked = certify::check_within(task.program, task.targets, None, proof, budget);
            assert!(checked.is_ok(), "{:?}", checked.err());
            Answer::Proved
        }
        Verdict::Violated { .. } => Answer::Violated,
        verdict if is_cancelled(verdict) => Answer::Cancelled,
        Verdict::Open(_) => Answer::Open,
    }
}

/// All at once, until one has a verdict. The answers in the order in which they came.
fn side_by_side(engines: Vec<Box<dyn Engine>>, task: &Task<'_>, budget: &Budget) -> Vec<(&'static str, Answer)> {
    let (part, (sender, outcomes)) = (budget.part(), mpsc::channel());
    thread::scope(|threads| {
        for mut engine in engines {
            let (part, sender) = (&part, sender.clone());
            threads.spawn(move || {
                let outcome = engine.run(task, part, &mut Silent).expect("it does not fail");
                // The budget of the whole is not cancelled: the check goes on.
                let answer = answer(task, &outcome, budget);
                if matches!(answer, Answer::Proved | Answer::Violated) {
                    part.cancel();
                }
                sender.send((engine.name(), answer)).expect("the channel is open");
            });
        }
    });
    drop(sender);
    outcomes.into_iter().collect()
}

fn is_cancelled(verdict: &Verdict) -> bool {
    fn is_limit(reason: &Reason) -> bool {
        match reason {
            Reason::Partly(reason, _) => is_limit(reason),
            Reason::Each(each) => each.iter().all(|(_, reason)| is_limit(reason)),
            reason => *reason == Reason::Limit(Limit::Cancelled),
        }
    }
    matches!(verdict, Verdict::Open(reason) if is_limit(reason))
}

#[test]
fn what_a_portfolio_shares_can_be_shared() {
    fn is_send<T: Send + ?Sized>() {}
    fn is_shareable<T: Send + Sync + ?Sized>() {}
    is_shareable::<Program>();
    is_shareable::<Facts>();
    is_shareable::<SharedFacts>();
    is_shareable::<Task<'_>>();
    is_shareable::<Budget>();
    is_shareable::<Alarm>();
    is_shareable::<Trace>();
    is_shareable::<Condition>();
    is_send::<dyn Engine>();
    is_send::<dyn Observer>();
    is_send::<Sequence>();
}

/// Random runs prove nothing and do not end by themselves.
#[test]
fn the_first_verdict_cancels_the_other_engine() {
    let program = testing::read(&testing::folder("examples/peterson.c")).expect("it is understood").program;
    let (facts, budget) = (SharedFacts::default(), Budget::unlimited());
    let task = task(&program, &facts);
    let answers = side_by_side(vec![random(), value()], &task, &budget);
    assert_eq!(answers, [("value", Answer::Proved), ("random", Answer::Cancelled)]);
}

#[test]
fn engines_that_would_not_end_say_that_they_are_cancelled() {
    let sequence = || Box::new(Sequence { name: "both", engines: vec![value(), random()] });
    let engines: [Box<dyn Engine>; 4] = [value(), bdd(), random(), sequence()];
    let (program, facts) = (testing::program(COUNTERS), SharedFacts::default());
    for mut engine in engines {
        let budget = Budget::unlimited();
        let outcome = thread::scope(|threads| {
            let run = threads.spawn(|| {
                let task = task(&program, &facts);
                let outcome = engine.run(&task, &budget, &mut Silent).expect("it does not fail");
                answer(&task, &outcome, &budget)
            });
            thread::sleep(Duration::from_millis(50));
            budget.cancel();
            run.join().expect("it does not panic")
        });
        assert_eq!(outcome, Answer::Cancelled, "{}", engine.name());
    }
}

/// The facts are found by one of the threads, and are the same for all.
#[test]
fn facts_are_found_once_and_not_spoilt_by_who_is_cancelled() {
    let (program, facts) = (testing::program(COUNTERS), SharedFacts::default());
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    let outcome = StaticEngine.run(&task(&program, &facts), &cancelled, &mut Silent).expect("it does not fail");
    assert!(is_cancelled(&outcome.verdict), "{:?}", outcome.verdict);
    let found = thread::scope(|threads| {
        let find = || facts.get(&program, &Budget::unlimited()).expect("there are facts");
        let both = [threads.spawn(find), threads.spawn(find)];
        both.map(|thread| thread.join().expect("it does not panic"))
    });
    assert!(std::sync::Arc::ptr_eq(&found[0], &found[1]));
}

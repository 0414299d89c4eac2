//! Facts from which something was taken away: `recheck` notices each.

use base::Budget;
use facts::{Facts, analyze, recheck};
use program::Program;

/// Threads, a lock that another thread opens, heap blocks, a call in two ways, a pointer as a number.
const TEXT: &str = "typedef unsigned long pthread_t; typedef union { char size[40]; long align; } pthread_mutex_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);\n\
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);\n\
    void *malloc(unsigned long); void free(void *); pthread_mutex_t m, open; int x, *p; unsigned long number;\n\
    void add(int n) { pthread_mutex_lock(&m); x += n; pthread_mutex_unlock(&m); }\n\
    void *work(void *a) { pthread_mutex_unlock(&open); add(1); free(a); return 0; }\n\
    int main(void) {\n\
        pthread_t t; int *block = malloc(8); *block = 1; p = malloc(4); number = (unsigned long)p;\n\
        pthread_mutex_lock(&open); pthread_create(&t, 0, work, block); add(2);\n\
        if (number == 4096) *(int *)number = 1;\n\
        pthread_join(t, 0); return x;\n\
    }\n";

fn program() -> Program {
    testing::program(TEXT)
}

fn found(program: &Program) -> Facts {
    analyze(program, &Budget::unlimited()).expect("there are facts")
}

/// Takes the n-th of something away, for every n: all are needed.
fn all_are_needed(what: &str, count: impl Fn(&Facts) -> usize, take: impl Fn(&mut Facts, usize)) {
    let program = program();
    let facts = found(&program);
    assert_eq!(recheck(&program, &facts), Ok(()));
    assert!(count(&facts) > 0, "there is no {what}");
    for n in 0..count(&facts) {
        let mut facts = found(&program);
        take(&mut facts, n);
        assert!(recheck(&program, &facts).is_err(), "{what} {n} is not missed");
    }
}

#[test]
fn states_are_needed() {
    let reached = |facts: &Facts| -> Vec<usize> {
        let states = facts.solution.states.iter().enumerate();
        states.filter(|(_, states)| !states.is_empty()).map(|(node, _)| node).collect()
    };
    all_are_needed(
        "state",
        |facts| reached(facts).len(),
        |facts, n| {
            let node = reached(facts)[n];
            facts.solution.states[node].clear();
        },
    );
}

#[test]
fn contents_of_shared_objects_are_needed() {
    all_are_needed(
        "shared object",
        |facts| facts.solution.shared.len(),
        |facts, n| {
            let base = *facts.solution.shared.keys().nth(n).expect("it is counted");
            facts.solution.shared.remove(&base);
        },
    );
}

#[test]
fn what_is_freed_or_opened_is_needed() {
    all_are_needed(
        "freed block",
        |facts| facts.solution.freed.len(),
        |facts, n| {
            let base = *facts.solution.freed.iter().nth(n).expect("it is counted");
            facts.solution.freed.remove(&base);
        },
    );
    all_are_needed(
        "opened lock",
        |facts| facts.solution.broken.len(),
        |facts, n| {
            let lock = *facts.solution.broken.keys().nth(n).expect("it is counted");
            facts.solution.broken.remove(&lock);
        },
    );
}

#[test]
fn callers_are_needed() {
    let called = |facts: &Facts| -> Vec<usize> {
        let callers = facts.solution.callers.iter().enumerate();
        callers.filter(|(_, callers)| !callers.is_empty()).map(|(call_string, _)| call_string).collect()
    };
    all_are_needed(
        "caller",
        |facts| called(facts).len(),
        |facts, n| {
            let call_string = called(facts)[n];
            facts.solution.callers[call_string].clear();
        },
    );
}

#[test]
fn exposed_objects_are_needed() {
    all_are_needed(
        "exposed object",
        |facts| facts.solution.exposed.objects.len(),
        |facts, n| {
            let base = *facts.solution.exposed.objects.iter().nth(n).expect("it is counted");
            facts.solution.exposed.objects.remove(&base);
        },
    );
}

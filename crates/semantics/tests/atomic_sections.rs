//! Threads that are blocked inside an atomic section.

use program::ErrorKind;
use semantics::{HowEnded, Limits, Machine, Outcome};

const DECLARATIONS: &str = "
    typedef unsigned long pthread_t;
    typedef union { char size[40]; long align; } pthread_mutex_t;
    typedef union { char size[48]; long align; } pthread_cond_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *);
    int pthread_mutex_unlock(pthread_mutex_t *);
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
    int pthread_cond_signal(pthread_cond_t *);
    void __VERIFIER_atomic_begin(void);
    void __VERIFIER_atomic_end(void);
    void reach_error(void);
    int printf(const char *, ...);
    pthread_mutex_t m;
    pthread_cond_t cv;
    int x;
    int ready;
";

fn outcomes(text: &str) -> Vec<Outcome> {
    let program = testing::program(&format!("{DECLARATIONS}{text}"));
    let exploration = Machine::new(&program).explore(&Limits::default());
    assert!(exploration.complete);
    exploration.outcomes.into_keys().collect()
}

#[test]
fn a_section_stays_one_when_another_passes_while_it_is_blocked() {
    let found = outcomes(
        "void *worker(void *arg) {
             __VERIFIER_atomic_begin();
             pthread_mutex_lock(&m);
             x = 1;
             x = 2;
             __VERIFIER_atomic_end();
             return 0;
         }
         int main(void) {
             pthread_t t;
             pthread_mutex_lock(&m);
             pthread_create(&t, 0, worker, 0);
             __VERIFIER_atomic_begin();
             __VERIFIER_atomic_end();
             pthread_mutex_unlock(&m);
             if (x == 1) reach_error();
             return 0;
         }",
    );
    assert!(!found.contains(&Outcome::Error(ErrorKind::ErrorCall)), "{found:?}");
    assert!(found.contains(&Outcome::Ended(HowEnded::Normally, Vec::new())), "{found:?}");
}

#[test]
fn waiting_for_a_signal_inside_a_section_lets_others_run() {
    let found = outcomes(
        "void *worker(void *arg) {
             pthread_mutex_lock(&m);
             __VERIFIER_atomic_begin();
             while (!ready) { x = 1; pthread_cond_wait(&cv, &m); }
             __VERIFIER_atomic_end();
             pthread_mutex_unlock(&m);
             return 0;
         }
         int main(void) {
             pthread_t t;
             pthread_create(&t, 0, worker, 0);
             pthread_mutex_lock(&m);
             ready = 1;
             pthread_cond_signal(&cv);
             pthread_mutex_unlock(&m);
             pthread_join(t, 0);
             printf(\"%d\", x);
             return 0;
         }",
    );
    for output in [b"0", b"1"] {
        assert!(found.contains(&Outcome::Ended(HowEnded::Normally, output.to_vec())), "{found:?}");
    }
}

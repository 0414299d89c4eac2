//! Operations that move less than one may think: programs in which two threads make them side by side.

use facts::blocks::Blocks;
use semantics::Machine;

use crate::explore::{Scheduler, explore};
use crate::observed::Observed;

const DECLARATIONS: &str = "
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long align; } pthread_cond_t;
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
struct timespec { long tv_sec; long tv_nsec; };
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t pthread_self(void);
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
pthread_mutex_t m;
pthread_cond_t c;
pthread_key_t k;
int x;
pthread_t thread;
";

fn check(text: &str) {
    let program = testing::program(&format!("{DECLARATIONS}{text}"));
    crate::compare(&program, &[0, 1]).unwrap().expect("there are few states");
}

/// Time is up, then comes the signal; the other way round the waiter gets the signal.
#[test]
fn waking_with_a_time_limit() {
    check(
        "struct timespec soon;
void *other(void *arg) {
    pthread_cond_signal(&c);
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&m);
    if (pthread_cond_timedwait(&c, &m, &soon)) reach_error();
    pthread_mutex_unlock(&m);
    return 0;
}",
    );
}

/// A signal wakes nobody if it comes before the sleep. (Two waiters: which one it wakes is a choice.)
#[test]
fn a_signal_without_the_mutex() {
    check(
        "void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, waiter, 0);
    pthread_create(&thread, 0, waiter, 0);
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    return 0;
}",
    );
}

/// Keys are numbered as they are made.
#[test]
fn keys_made_side_by_side() {
    check(
        "pthread_key_t l;
void *other(void *arg) {
    pthread_key_create(&k, 0);
    if (k == 1) reach_error();
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, other, 0);
    pthread_key_create(&l, 0);
    if (l == 1) reach_error();
    return 0;
}",
    );
}

/// A key is used while another thread deletes it, and a thread ends meanwhile.
#[test]
fn a_key_deleted_by_another_thread() {
    check(
        "void destructor(void *value) { x = 1; }
void *other(void *arg) {
    pthread_setspecific(k, &x);
    return 0;
}
int main(void) {
    pthread_key_create(&k, destructor);
    pthread_create(&thread, 0, other, 0);
    pthread_key_delete(k);
    pthread_join(thread, 0);
    if (x) reach_error();
    return 0;
}",
    );
}

/// Who unlocks what a thread waits for inside its section is interrupted at once: there are no blocks in such programs.
#[test]
fn a_lock_inside_a_section() {
    let text = "void *other(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    if (x) reach_error();
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    int a = 0;
    pthread_mutex_lock(&m);
    pthread_create(&thread, 0, other, 0);
    x = 1;
    pthread_mutex_unlock(&m);
    a = a + 1;
    return a;
}";
    check(text);
    let program = testing::program(&format!("{DECLARATIONS}{text}"));
    let machine = Machine::new(&program);
    let full = explore(&machine, &[0, 1], 10_000, Scheduler::Free).expect("few states");
    let blocks = Blocks::of(&program, &Observed::new(&machine, &full.states));
    for (id, function) in program.functions.iter_enumerated() {
        assert!(function.locations().all(|location| !blocks.is_inside(id, location)));
    }
}

/// A block that may have been given back already.
#[test]
fn a_block_given_back_on_one_way() {
    check(
        "int main(void) {
    int *p = malloc(4);
    if (__VERIFIER_nondet_int()) free(p);
    free(p);
    return 0;
}",
    );
}

/// A pointer to a block that is gone, after a new one was made at the same place.
#[test]
fn a_block_of_an_earlier_round() {
    check(
        "int main(void) {
    int *old = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        if (old) free(old);
        old = p;
        free(p);
    }
    return 0;
}",
    );
}

/// The same with a local, by way of a call.
#[test]
fn a_local_of_an_earlier_call() {
    check(
        "int *old;
void call(void) {
    int here = 1;
    if (old) x = *old;
    old = &here;
}
int main(void) {
    call();
    call();
    return x;
}",
    );
}

/// A thread reads a local of main after main is gone.
#[test]
fn a_local_of_main_at_its_end() {
    check(
        "void *other(void *arg) {
    x = *(int *)arg;
    return 0;
}
int main(void) {
    int local = 1;
    pthread_create(&thread, 0, other, &local);
    return 0;
}",
    );
}

/// Whoever joins himself goes on.
#[test]
fn joining_oneself() {
    check(
        "void *other(void *arg) {
    if (pthread_join(pthread_self(), 0)) reach_error();
    x = 1;
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    if (x) reach_error();
    return 0;
}",
    );
}

// An assumption in one thread cuts the whole run: what the others would do afterwards does not happen.
// outcome: "1\n"
// compiled: no, it uses __VERIFIER_assume
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
void reach_error(void);

static int value;

static void *work(void *arg) {
    if (value != 1)
        reach_error();
    return NULL;
}

int main(void) {
    pthread_t thread;
    __VERIFIER_atomic_begin();
    value = __VERIFIER_nondet_int();
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_assume(value);
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    printf("%d\n", value);
}

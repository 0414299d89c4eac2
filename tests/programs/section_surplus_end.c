// An end without a begin is ignored, and not saved up.
// outcome: "0\n"
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int value;

static void *work(void *arg) {
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    value = 1;
    value = 0;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    int seen = value;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

// A section is no excuse against accesses outside of sections.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int value;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    value = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = value;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

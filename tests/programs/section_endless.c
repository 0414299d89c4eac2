// A section that never ends keeps everybody else waiting for ever; that is no deadlock, and before it begins main may return.
// outcome: ""
// compiled: no, it uses __VERIFIER_atomic_begin
#include <pthread.h>

void __VERIFIER_atomic_begin(void);

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    for (;;)
        ;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}

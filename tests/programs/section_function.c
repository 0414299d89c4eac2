// A function named __VERIFIER_atomic_ is a section from call to return, whichever way it returns.
// outcome: "2 1\n"
// outcome: "1 2\n"
// compiled: no, the function would not be atomic
#include <pthread.h>
#include <stdio.h>

static int counter;

static int __VERIFIER_atomic_next(int early) {
    int next = counter + 1;
    counter = next;
    if (early)
        return next;
    return counter;
}

static void *work(void *arg) { return (void *)(long)__VERIFIER_atomic_next(0); }

int main(void) {
    pthread_t thread;
    void *other;
    pthread_create(&thread, NULL, work, NULL);
    int own = __VERIFIER_atomic_next(1);
    pthread_join(thread, &other);
    printf("%d %ld\n", own, (long)other);
}

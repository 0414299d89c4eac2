// atomic_init is a plain write.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
// compiled: no, GCC has no function of that name
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

// GCC's macro makes it an atomic store.
#undef atomic_init

static atomic_int value;

static void *work(void *arg) {
    atomic_init(&value, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = atomic_load(&value);
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

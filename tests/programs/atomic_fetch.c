// Fetch operations of stdatomic.h lose nothing and race with nothing.
// outcome: "2 6 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int count;
static _Atomic unsigned bits, mask = 3;

static void *work(void *arg) {
    atomic_fetch_add(&count, 2);
    atomic_fetch_or_explicit(&bits, 4, memory_order_relaxed);
    atomic_fetch_and(&mask, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_fetch_sub(&count, 1);
    atomic_fetch_xor(&bits, 2);
    atomic_fetch_and(&mask, 2);
    atomic_fetch_add(&count, 1);
    pthread_join(thread, NULL);
    printf("%d %u %u\n", atomic_load(&count), bits, mask);
}

// A signed overflow in a thread is noticed, and wraps.
// outcome: "-2147483648\n"
// outcome: "2147483647\n"
// outcome: overflow
// compiled: no, it is undefined
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int step;

static void *work(void *arg) {
    int value = INT_MAX;
    value += step;
    printf("%d\n", value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    step = 1;
    pthread_join(thread, NULL);
}

// Each thread starts with a copy of its own.
// outcome: "6 5\n"
#include <pthread.h>
#include <stdio.h>

static _Thread_local int value = 5;

static void *work(void *arg) {
    value++;
    return (void *)(long)value;
}

int main(void) {
    pthread_t a;
    void *seen;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, &seen);
    printf("%ld %d\n", (long)seen, value);
}

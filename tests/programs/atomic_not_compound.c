// Reading and writing an atomic object are two steps: an increment may be lost, but there is no race.
// outcome: "1\n"
// outcome: "2\n"
#include <pthread.h>
#include <stdio.h>

static _Atomic int value;

static void *work(void *arg) {
    value = value + 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", value);
}

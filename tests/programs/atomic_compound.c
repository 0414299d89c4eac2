// A compound assignment to an atomic object is one step.
// outcome: "6\n"
#include <pthread.h>
#include <stdio.h>

static _Atomic int value;

static void *work(void *arg) {
    value += 2;
    value++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", value);
}

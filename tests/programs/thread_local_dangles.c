// A thread-local object ends with its thread.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static _Thread_local int value;

static void *work(void *arg) { return &value; }

int main(void) {
    pthread_t thread;
    void *seen;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &seen);
    printf("%d\n", *(int *)seen);
}

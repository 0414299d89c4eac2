// A thread uses a local of main's function that may have returned.
// outcome: "done"
// outcome: invalid-access
// outcome: race
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    *(int *)arg = 1;
    return NULL;
}

static void start(pthread_t *thread) {
    int local = 0;
    pthread_create(thread, NULL, work, &local);
    local = 2;
}

int main(void) {
    pthread_t thread;
    start(&thread);
    pthread_join(thread, NULL);
    printf("done");
}

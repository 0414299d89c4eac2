// A local of a finished thread.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    int value = 1;
    int *pointer = &value;
    return pointer;
}

int main(void) {
    pthread_t thread;
    void *seen;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &seen);
    printf("%d\n", *(int *)seen);
}

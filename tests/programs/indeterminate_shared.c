// Threads that have the same indeterminate pointer have the same memory behind it.
// outcome: invalid-access
// outcome: race
// outcome: "1\n"
// outcome: "2\n"
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *shared) {
    *(int *)shared = 1;
    return NULL;
}

int main(void) {
    int *pointer;
    pthread_t thread;
    pthread_create(&thread, NULL, work, pointer);
    *pointer = 2;
    pthread_join(thread, NULL);
    printf("%d\n", *pointer);
}

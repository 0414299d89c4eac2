// Freed by one thread, used by another afterwards: no race, but the block is gone.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) {
    free(arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&thread, NULL, work, block);
    pthread_join(thread, NULL);
    printf("%d\n", *block);
}

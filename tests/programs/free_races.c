// One thread frees what another reads.
// outcome: "7\n"
// outcome: invalid-access
// outcome: race
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *value;

static void *work(void *arg) {
    free(value);
    return NULL;
}

int main(void) {
    pthread_t thread;
    value = malloc(sizeof *value);
    *value = 7;
    pthread_create(&thread, NULL, work, NULL);
    int seen = *value;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

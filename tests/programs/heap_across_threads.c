// Made here, filled there, given back here; and the other way round.
// outcome: "5 6\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *made = malloc(sizeof *made);
    *made = *(int *)arg + 1;
    free(arg);
    return made;
}

int main(void) {
    pthread_t thread;
    int *given = malloc(sizeof *given), before;
    void *made;
    before = *given = 5;
    pthread_create(&thread, NULL, work, given);
    pthread_join(thread, &made);
    printf("%d %d\n", before, *(int *)made);
    free(made);
}

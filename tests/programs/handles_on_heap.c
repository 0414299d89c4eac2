// Handles in a heap block, each joined by its own.
// outcome: "10 11\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) { return (void *)((long)arg + 10); }

int main(void) {
    pthread_t *threads = malloc(2 * sizeof *threads);
    void *a, *b;
    for (long i = 0; i < 2; i++)
        pthread_create(threads + i, NULL, work, (void *)i);
    pthread_join(threads[1], &b);
    pthread_join(threads[0], &a);
    free(threads);
    printf("%ld %ld\n", (long)a, (long)b);
}

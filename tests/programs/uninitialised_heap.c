// Fresh heap memory has arbitrary contents that stay the same for all who read it.
// outcome: "0 0\n"
// outcome: "1 1\n"
// compiled: no, the values are whatever lies there
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) { return (void *)(long)*(int *)arg; }

int main(void) {
    pthread_t thread;
    void *other;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, NULL, work, block);
    int own = *block;
    pthread_join(thread, &other);
    printf("%d %ld\n", own, (long)other);
    free(block);
}

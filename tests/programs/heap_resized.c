// realloc moves the contents; the old block is gone.
// outcome: "3 0\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) {
    int *grown = realloc(arg, 2 * sizeof *grown);
    grown[1] = 0;
    return grown;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    void *grown;
    *block = 3;
    pthread_create(&thread, NULL, work, block);
    pthread_join(thread, &grown);
    printf("%d %d\n", ((int *)grown)[0], ((int *)grown)[1]);
    free(grown);
}

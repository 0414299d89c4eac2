// Only the start of a block can be given back, and only of the heap.
// outcome: invalid-free
// compiled: no, it is undefined
#include <pthread.h>
#include <stdlib.h>

static int global;

static void *work(void *arg) {
    free(&global);
    return NULL;
}

int main(void) {
    pthread_t thread;
    char *block = malloc(2);
    pthread_create(&thread, NULL, work, NULL);
    free(block + 1);
    pthread_join(thread, NULL);
}

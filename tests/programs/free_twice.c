// Both threads free the same block.
// outcome: invalid-free
// outcome: race
// compiled: no, it is undefined
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    free(arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *block = malloc(4);
    pthread_create(&thread, NULL, work, block);
    free(block);
    pthread_join(thread, NULL);
}

// A global still points to the block at the end: not lost, but not freed.
// outcome: ""
// outcome: not-freed
#include <pthread.h>
#include <stdlib.h>

static void *pointer;

static void *work(void *arg) {
    pointer = malloc(4);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

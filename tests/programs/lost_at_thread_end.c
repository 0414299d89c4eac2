// The last pointer is a local of a thread that ends.
// outcome: ""
// outcome: lost
// outcome: not-freed
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    void *pointer = malloc(4);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

// A thread that is detached cannot be joined.
// outcome: undefined handle
// compiled: no, it is undefined
#include <pthread.h>

static void *work(void *arg) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL);
}

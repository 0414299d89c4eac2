// A thread can be joined once.
// outcome: undefined handle
// compiled: no, it is undefined
#include <pthread.h>

static void *work(void *arg) { return NULL; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL);
}

// A null pointer is no function.
// outcome: invalid-access
// outcome: undefined call
// compiled: no, it is undefined
#include <pthread.h>

static void *(*entry)(void *);

static void *work(void *arg) { return entry(arg); }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

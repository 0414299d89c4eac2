// Two threads join each other.
// outcome: deadlock
// compiled: no, glibc notices the circle
#include <pthread.h>

static pthread_t first;

static void *work(void *arg) {
    pthread_join(first, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

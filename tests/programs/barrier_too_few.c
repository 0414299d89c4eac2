// Fewer threads than the barrier counts.
// outcome: deadlock
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
}

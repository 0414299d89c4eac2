// Threads are created as long as the surroundings want, at most N at a time, and at most MOST of them if that is defined.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int running, busy;

static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    busy = busy + 1;
    assert(busy == 1);
    busy = busy - 1;
    running = running - 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef MOST
    for (int i = 0; i < MOST && __VERIFIER_nondet_int(); i++) {
#else
    while (__VERIFIER_nondet_int()) {
#endif
        pthread_mutex_lock(&mutex);
        int may = running < N;
        if (may)
            running = running + 1;
        pthread_mutex_unlock(&mutex);
        if (may)
            pthread_create(&thread, 0, work, 0);
    }
}

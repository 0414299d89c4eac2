// How many threads there are must be known: the bound comes from a global through a parameter.
#include <assert.h>
#include <pthread.h>

static int number = 3;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int busy;
static unsigned ticks;

static void *work(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        assert(!busy);
        busy = 1;
        ticks++;
        busy = 0;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void start(int n) {
    pthread_t thread;
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, work, 0);
}

int main(void) {
    start(number);
    for (;;)
        ;
}

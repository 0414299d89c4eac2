// A waiter that nobody will signal is blocked, though it may wake now and then.
// outcome: deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int never;

int main(void) {
    pthread_mutex_lock(&mutex);
    while (!never)
        pthread_cond_wait(&condition, &mutex);
}

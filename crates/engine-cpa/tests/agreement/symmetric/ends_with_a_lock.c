// finds: Deadlock
// One of several equal threads ends without giving the lock back, which the others wait for ever for.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    if (++count == 2)
        return 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}

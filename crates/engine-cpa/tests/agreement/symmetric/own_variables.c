// finds: Error
// Equal threads with variables of their own, some of which have ended when others are about to fail.
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum, ended;

static void *work(void *arg) {
    own = own + (int)(long)arg;
    pthread_mutex_lock(&mutex);
    sum = 3 * sum + own;
    assert(!(ended == 2 && sum == 9 * 3 + 3 * 1 + 2));
    ended++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, (void *)(long)i);
    pthread_exit(0);
}

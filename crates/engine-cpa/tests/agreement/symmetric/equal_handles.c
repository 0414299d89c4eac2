// finds: Error
// A thread finds its own handle among those of its equals.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t threads[3];
static int created, order;

static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    if (created == 3) {
        int place = pthread_equal(pthread_self(), threads[0]) ? 1 : pthread_equal(pthread_self(), threads[1]) ? 2 : 3;
        order = 10 * order + place;
        assert(order != 312);
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        pthread_create(&threads[i], 0, work, 0);
        created++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_exit(0);
}

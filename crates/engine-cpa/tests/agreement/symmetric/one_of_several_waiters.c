// finds: Error
// A signal wakes one of several equal waiters, and it matters which one.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static int arrived, signals, first = -1;

static void *wait(void *arg) {
    int number = (int)(long)arg;
    pthread_mutex_lock(&mutex);
    int place = arrived++;
    while (signals == 0)
        pthread_cond_wait(&go, &mutex);
    signals--;
    if (first == -1) {
        first = number;
        assert(!(number == 1 && place == 0 && arrived == 3));
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, wait, (void *)(long)i);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        signals++;
        pthread_cond_signal(&go);
        pthread_mutex_unlock(&mutex);
    }
}

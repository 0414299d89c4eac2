// A buffer of two places; N items are put in and taken out in order.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int items[2], count, first;

static void *produce(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        while (count == 2)
            pthread_cond_wait(&not_full, &mutex);
        items[(first + count) % 2] = i;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *consume(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        while (count == 0)
            pthread_cond_wait(&not_empty, &mutex);
        assert(items[first] == i);
        first = (first + 1) % 2;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t producer, consumer;
    pthread_create(&producer, 0, produce, 0);
    pthread_create(&consumer, 0, consume, 0);
    pthread_join(producer, 0);
    pthread_join(consumer, 0);
}

// Only who counts sees the fifth round.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static unsigned noise;

static void *work(void *arg) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        count++;
        noise = noise * 3 + 1;
        assert(count < 5);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
}

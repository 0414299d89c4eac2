// Which lock is meant must be known, the result of the work need not.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int inside[2];
static unsigned total;

static void *work(void *arg) {
    int which = (int)(long)arg;
    unsigned rounds = 0;
    for (;;) {
        pthread_mutex_lock(&mutexes[which]);
        inside[which]++;
        assert(inside[which] == 1);
        inside[which]--;
        pthread_mutex_unlock(&mutexes[which]);
        rounds++;
        total = rounds;
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_create(&c, 0, work, (void *)1);
    pthread_join(a, 0);
}

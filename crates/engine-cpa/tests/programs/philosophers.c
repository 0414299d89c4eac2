// N philosophers who eat once. All take the left fork first; if ORDERED, the last one takes the right one first.
#include <pthread.h>

static pthread_mutex_t forks[N];

static void *eat(void *arg) {
    long me = (long)arg;
    long first = me, second = (me + 1) % N;
#ifdef ORDERED
    if (me == N - 1) {
        first = 0;
        second = me;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, eat, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
}

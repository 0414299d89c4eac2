// One of the threads at a barrier is told apart; what each wrote before is seen by all after.
// outcome: "1 3 3 3\n"
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int values[3], sums[3], serial[3];

static void *work(void *arg) {
    long self = (long)arg;
    values[self] = 1;
    serial[self] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    sums[self] = values[0] + values[1] + values[2];
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 3);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    work((void *)2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d\n", serial[0] + serial[1] + serial[2], sums[0], sums[1], sums[2]);
}

// Two philosophers, each with the fork on the left first.
// outcome: "fed\n"
// outcome: deadlock
#include <pthread.h>
#include <stdio.h>

enum { N = 2 };

static pthread_mutex_t forks[N];

static void *dine(void *arg) {
    int i = (int)(long)arg;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[i]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    printf("fed\n");
}

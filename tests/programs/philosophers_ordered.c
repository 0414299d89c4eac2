// Three philosophers who take the lower fork first never wait in a circle.
// outcome: "fed\n"
#include <pthread.h>
#include <stdio.h>

enum { N = 3 };

static pthread_mutex_t forks[N];

static void *dine(void *arg) {
    int i = (int)(long)arg, next = (i + 1) % N;
    int low = i < next ? i : next, high = i < next ? next : i;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
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

// Producer and consumer with a buffer of one place.
// outcome: "12\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t empty, full;
static int buffer;

static void *produce(void *arg) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        buffer = i;
        sem_post(&full);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int total = 0;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        total = 10 * total + buffer;
        sem_post(&empty);
    }
    pthread_join(thread, NULL);
    printf("%d\n", total);
}

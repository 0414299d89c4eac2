// The value of a semaphore while others post.
// outcome: "1 2 2\n"
// outcome: "1 3 2\n"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t semaphore;

static void *post(void *arg) {
    sem_post(&semaphore);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int before, during, after;
    sem_init(&semaphore, 0, 1);
    sem_getvalue(&semaphore, &before);
    pthread_create(&thread, NULL, post, NULL);
    sem_post(&semaphore);
    sem_getvalue(&semaphore, &during);
    sem_wait(&semaphore);
    pthread_join(thread, NULL);
    sem_getvalue(&semaphore, &after);
    printf("%d %d %d\n", before, during, after);
    sem_destroy(&semaphore);
}

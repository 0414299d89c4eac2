// EAGAIN if the semaphore is zero just now.
// outcome: "-1 11\n"
// outcome: "0 0\n"
#include <errno.h>
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
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, post, NULL);
    errno = 0;
    int result = sem_trywait(&semaphore);
    int error = result == 0 ? 0 : errno;
    printf("%d %d\n", result, error);
    pthread_join(thread, NULL);
}

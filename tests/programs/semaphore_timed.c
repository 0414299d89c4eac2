// A timed wait may give up while the semaphore is zero, and not otherwise.
// outcome: "0 -1 110\n"
// outcome: "0 0 0\n"
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
    struct timespec past = {0, 0};
    sem_init(&semaphore, 0, 1);
    printf("%d ", sem_timedwait(&semaphore, &past));
    pthread_create(&thread, NULL, post, NULL);
    int result = sem_timedwait(&semaphore, &past);
    printf("%d %d\n", result, result ? errno : 0);
    pthread_join(thread, NULL);
}

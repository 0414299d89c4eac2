// Waiting for somebody who runs for ever is no deadlock: there is nobody to blame but the loop.
// outcome: exit "over"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *end(void *arg) {
    printf("over");
    exit(0);
}

int main(void) {
    pthread_t first, second;
    pthread_mutex_lock(&mutex);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, end, NULL);
    for (;;)
        ;
}

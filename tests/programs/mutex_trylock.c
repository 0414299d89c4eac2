// EBUSY if the other holds the mutex just now.
// outcome: "0\n"
// outcome: "16\n"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *try(void *arg) {
    int result = pthread_mutex_trylock(&mutex);
    if (result != EBUSY)
        pthread_mutex_unlock(&mutex);
    return (void *)(long)result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, try, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
}

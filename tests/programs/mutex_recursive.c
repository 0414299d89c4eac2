// A recursive mutex is free after as many unlocks as locks.
// outcome: "16 0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;

static void *try(void *arg) { return (void *)(long)pthread_mutex_trylock(&mutex); }

static long other(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, try, NULL);
    pthread_join(thread, &result);
    return (long)result;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    long held = other();
    pthread_mutex_unlock(&mutex);
    printf("%ld %ld\n", held, other());
}

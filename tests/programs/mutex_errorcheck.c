// An error-checking mutex tells of locking twice (EDEADLK) and of unlocking what others hold or nobody (EPERM).
// outcome: "1 35 16 1 0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;

static void *unlock(void *arg) { return (void *)(long)pthread_mutex_unlock(&mutex); }

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    void *result;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    int early = pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    int again = pthread_mutex_lock(&mutex);
    int busy = pthread_mutex_trylock(&mutex);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, &result);
    printf("%d %d %d %ld %d\n", early, again, busy, (long)result, pthread_mutex_unlock(&mutex));
}

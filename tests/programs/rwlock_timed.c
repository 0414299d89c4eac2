// A timed lock may give up while the lock is held, and not otherwise.
// outcome: "0\n"
// outcome: "110\n"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *write(void *arg) {
    struct timespec past = {0, 0};
    long result = pthread_rwlock_timedwrlock(&lock, &past);
    if (result == 0)
        pthread_rwlock_unlock(&lock);
    return (void *)result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, write, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, &result);
    printf("%ld\n", (long)result);
}

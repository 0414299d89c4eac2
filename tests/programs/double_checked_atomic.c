// The same with an atomic flag: no race.
// outcome: "42 42\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;

static void *get(void *arg) {
    if (!ready) {
        pthread_mutex_lock(&mutex);
        if (!ready) {
            value = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return (void *)(long)value;
}

int main(void) {
    pthread_t thread;
    void *other;
    pthread_create(&thread, NULL, get, NULL);
    long own = (long)get(NULL);
    pthread_join(thread, &other);
    printf("%ld %ld\n", own, (long)other);
}

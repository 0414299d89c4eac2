// Double-checked initialisation with a plain flag: the first look races.
// outcome: "42 42\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

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

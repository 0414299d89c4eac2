// ETIMEDOUT is possible while the other holds the mutex, and then only.
// outcome: "0 110\n"
// outcome: "110 110\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t sometimes = PTHREAD_MUTEX_INITIALIZER, always = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *try(void *arg) {
    struct timespec past = {0, 0};
    first = pthread_mutex_timedlock(&sometimes, &past);
    if (first == 0)
        pthread_mutex_unlock(&sometimes);
    second = pthread_mutex_timedlock(&always, &past);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&always);
    pthread_create(&thread, NULL, try, NULL);
    pthread_mutex_lock(&sometimes);
    pthread_mutex_unlock(&sometimes);
    pthread_join(thread, NULL);
    printf("%d %d\n", first, second);
}

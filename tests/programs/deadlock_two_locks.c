// Two locks in opposite order.
// outcome: "2\n"
// outcome: deadlock
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    counter++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *work(void *arg) {
    both(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}

// A broadcast wakes all.
// outcome: "2\n"
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int open, passed;

static void *wait(void *arg) {
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&condition, &mutex);
    passed++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, wait, NULL);
    pthread_mutex_lock(&mutex);
    open = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", passed);
}

// A waiter may wake for no reason. That it may does not keep the others from ending, and then it is a deadlock.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;
static _Atomic int count;

static void *wait(void *arg) {
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *add(void *arg) {
    count++;
    return 0;
}

int main(void) {
    pthread_t waiter, adder;
    pthread_create(&waiter, 0, wait, 0);
    pthread_create(&adder, 0, add, 0);
    ready = 1;
    pthread_cond_broadcast(&condition);
    count++;
    pthread_join(adder, 0);
    pthread_join(waiter, 0);
}

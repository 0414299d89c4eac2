// An assertion on a racing read fails under one schedule.
// outcome: ""
// outcome: abort ""
// outcome: error assert
// outcome: race
#include <assert.h>
#include <pthread.h>

static int value;

static void *work(void *arg) {
    value = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(value == 0);
    pthread_join(thread, NULL);
}

// The handle is stored before the new thread can run, so the thread may read it.
// outcome: "1 0\n"
#include <pthread.h>
#include <stdio.h>

static pthread_t thread;
static int same, other;

static void *work(void *arg) {
    same = pthread_equal(pthread_self(), thread) != 0;
    other = pthread_equal(pthread_self(), *(pthread_t *)arg) != 0;
    return NULL;
}

int main(void) {
    pthread_t self = pthread_self();
    pthread_create(&thread, NULL, work, &self);
    pthread_join(thread, NULL);
    printf("%d %d\n", same, other);
}

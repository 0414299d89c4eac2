// A handler gives the mutex back when the thread ends early.
// outcome: "free\n"
#include <pthread.h>
#include <stdio.h>

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    if (arg)
        pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex);
    printf("free\n");
}

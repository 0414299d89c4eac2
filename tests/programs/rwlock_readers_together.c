// Readers hold the lock together: both are inside when they meet.
// outcome: "met\n"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;

static void *read(void *arg) {
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&barrier);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, read, NULL);
    read(NULL);
    pthread_join(thread, NULL);
    printf("met\n");
}

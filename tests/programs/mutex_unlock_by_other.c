// Whoever unlocks a normal mutex frees it. Yet main may wait for itself meanwhile, and a circle is a deadlock by definition.
// outcome: "again\n"
// outcome: deadlock
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *arg) {
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_mutex_lock(&mutex);
    printf("again\n");
    pthread_join(thread, NULL);
}

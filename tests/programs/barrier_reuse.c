// A barrier can be passed again and again; between two passes the roles change.
// outcome: "2\n"
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int value;

static void *work(void *arg) {
    pthread_barrier_wait(&barrier);
    value++;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    value = 1;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    printf("%d\n", value);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
}

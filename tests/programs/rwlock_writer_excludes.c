// A reader sees all that the writer wrote, or nothing.
// outcome: "0 0\n"
// outcome: "1 1\n"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock;
static int a, b;

static void *write(void *arg) {
    pthread_rwlock_wrlock(&lock);
    a = 1;
    b = 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&thread, NULL, write, NULL);
    pthread_rwlock_rdlock(&lock);
    printf("%d %d\n", a, b);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_rwlock_destroy(&lock);
}

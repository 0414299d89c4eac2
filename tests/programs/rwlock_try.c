// Beside a reader another may read but not write; beside a writer neither.
// outcome: "0 16 16 16\n"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int results[2];

static void *try(void *arg) {
    results[0] = pthread_rwlock_tryrdlock(&lock);
    if (results[0] == 0)
        pthread_rwlock_unlock(&lock);
    results[1] = pthread_rwlock_trywrlock(&lock);
    return NULL;
}

static void other(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, try, NULL);
    pthread_join(thread, NULL);
    printf("%d %d", results[0], results[1]);
}

int main(void) {
    pthread_rwlock_rdlock(&lock);
    other();
    pthread_rwlock_unlock(&lock);
    putchar(' ');
    pthread_rwlock_wrlock(&lock);
    other();
    putchar('\n');
}

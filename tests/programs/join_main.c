// The first thread can be joined too.
// outcome: "main 3\n"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    void *value;
    pthread_join(*(pthread_t *)arg, &value);
    printf("%ld\n", (long)value);
    return NULL;
}

static pthread_t first;

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, work, &first);
    printf("main ");
    pthread_exit((void *)3);
}

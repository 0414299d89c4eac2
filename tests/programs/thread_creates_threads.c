// A child joins its own child; a grandchild may also be joined by somebody else.
// outcome: "3\n"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    long depth = (long)arg;
    pthread_t thread;
    void *below = NULL;
    if (depth == 0)
        return NULL;
    pthread_create(&thread, NULL, work, (void *)(depth - 1));
    pthread_join(thread, &below);
    return (void *)((long)below + 1);
}

int main(void) {
    pthread_t thread;
    void *depth;
    pthread_create(&thread, NULL, work, (void *)3);
    pthread_join(thread, &depth);
    printf("%ld\n", (long)depth);
}

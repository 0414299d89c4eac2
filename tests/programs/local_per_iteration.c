// A local in a loop is a new object each time: the old one is gone.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    int *old = NULL;
    for (int i = 0; i < 2; i++) {
        int value = i;
        if (old)
            printf("%d\n", *old);
        old = &value;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

// A local without initial value has some value, and keeps it; another time it may have another.
// outcome: "0 0 0\n"
// outcome: "0 0 1\n"
// outcome: "1 1 0\n"
// outcome: "1 1 1\n"
// compiled: no, the values are whatever lies there
#include <pthread.h>
#include <stdio.h>

static int results[3];

static void *work(void *arg) {
    for (int i = 0; i < 2; i++) {
        int value;
        results[2 * i] = value;
        if (i == 0)
            results[1] = value;
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d %d %d\n", results[0], results[1], results[2]);
}

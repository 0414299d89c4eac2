// Store buffering with plain variables: races, yet memory is sequentially consistent.
// outcome: "0 1\n"
// outcome: "1 0\n"
// outcome: "1 1\n"
// outcome: race
// compiled: no, the processor buffers stores
#include <pthread.h>
#include <stdio.h>

static int x, y, a;

static void *work(void *arg) {
    x = 1;
    a = y;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    y = 1;
    int b = x;
    pthread_join(thread, NULL);
    printf("%d %d\n", a, b);
}

// Load buffering: not both read what the other writes afterwards.
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "1 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int a;

static void *work(void *arg) {
    a = x;
    y = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int b = y;
    x = 1;
    pthread_join(thread, NULL);
    printf("%d %d\n", a, b);
}

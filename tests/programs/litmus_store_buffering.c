// Store buffering with atomics: not both read the old value.
// outcome: "0 1\n"
// outcome: "1 0\n"
// outcome: "1 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int a;

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

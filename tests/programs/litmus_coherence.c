// Two reads of one object never go back in time.
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "0 2\n"
// outcome: "1 1\n"
// outcome: "1 2\n"
// outcome: "2 2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;

static void *work(void *arg) {
    x = 1;
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int a = x, b = x;
    pthread_join(thread, NULL);
    printf("%d %d\n", a, b);
}

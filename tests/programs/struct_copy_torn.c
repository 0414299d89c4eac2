// Records are copied scalar by scalar: others see one half.
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "1 0\n"
// outcome: "1 1\n"
// outcome: race
// compiled: no, a record of this size is copied at once
#include <pthread.h>
#include <stdio.h>

struct pair {
    int a, b;
};

static struct pair shared;
static const struct pair ones = {1, 1};

static void *work(void *arg) {
    shared = ones;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    struct pair seen = shared;
    pthread_join(thread, NULL);
    printf("%d %d\n", seen.a, seen.b);
}

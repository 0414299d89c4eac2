// Independent reads of independent writes: all readers agree on the order of the writes.
// outcome: "agreed\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write(void *arg) {
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}

static void *read(void *arg) {
    a = x;
    b = y;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, write, &x);
    pthread_create(&threads[1], NULL, write, &y);
    pthread_create(&threads[2], NULL, read, NULL);
    c = y;
    d = x;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf(a && !b && c && !d ? "disagreed\n" : "agreed\n");
}

// One of two wins; the other is told the winner's value.
// outcome: "1 0 1\n"
// outcome: "2 2 0\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int winner;
static int seen[2];

static void *work(void *arg) {
    long self = (long)arg;
    atomic_compare_exchange_strong(&winner, &seen[self], self + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(thread, NULL);
    printf("%d %d %d\n", winner, seen[0], seen[1]);
}

// Exchanges hand a token on: nobody gets the same one.
// outcome: "0 1 2\n"
// outcome: "2 0 1\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int token;
static int other;

static void *work(void *arg) {
    other = atomic_exchange(&token, 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int own = atomic_exchange(&token, 1);
    pthread_join(thread, NULL);
    printf("%d %d %d\n", own, other, token);
}

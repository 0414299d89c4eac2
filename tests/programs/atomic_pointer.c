// Atomic operations on pointers, where GCC counts in bytes, and on chars.
// outcome: "2 130\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int values[3] = {1, 2, 3};
static int *_Atomic at = values;
static _Atomic unsigned char small = 250;

static void *work(void *arg) {
    atomic_fetch_add(&at, 2 * sizeof *at);
    small += 68;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_fetch_sub(&at, sizeof *at);
    small += 68;
    pthread_join(thread, NULL);
    printf("%d %d\n", *at, small);
}

// Shifting by the width or more is undefined.
// outcome: "-1\n"
// outcome: undefined shift-amount
// compiled: no, it is undefined
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int amount;

static void *work(void *arg) {
    amount = 32;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    printf("%d\n", -1 >> amount);
    pthread_join(thread, NULL);
}

// What stands behind a division by zero is not reached, and that proves nothing.
// outcome: undefined division-by-zero
// outcome: "0\n"
// inputs: 0 3
// compiled: no, it has inputs
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

static void *work(void *arg) {
    int divisor = *(int *)arg, result = 12 / divisor;
    assert(divisor != 0);
    return result == 4 ? NULL : arg;
}

int main(void) {
    int divisor = __VERIFIER_nondet_int();
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &divisor);
    pthread_join(thread, &result);
    printf("%d\n", result != NULL);
}

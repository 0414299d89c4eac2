// Two threads add to each other's number N times: neither gets beyond the Fibonacci number 2 N + 2.
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int i = 1, j = 1;

static void *first(void *arg) {
    for (int k = 0; k < N; k++) {
        __VERIFIER_atomic_begin();
        i += j;
        __VERIFIER_atomic_end();
    }
    return 0;
}

static void *second(void *arg) {
    for (int k = 0; k < N; k++) {
        __VERIFIER_atomic_begin();
        j += i;
        __VERIFIER_atomic_end();
    }
    return 0;
}

static int greatest(void) {
    int a = 0, b = 1;
    for (int k = 0; k < 2 * N + 2; k++) {
        int sum = a + b;
        a = b;
        b = sum;
    }
    return a;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    __VERIFIER_atomic_begin();
    int is_beyond = i > greatest() || j > greatest();
    __VERIFIER_atomic_end();
    if (is_beyond)
        reach_error();
    return 0;
}

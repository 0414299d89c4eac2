// The newer builtins with explicit orders, which all act as the strongest.
// outcome: "7 3 1\n"
#include <pthread.h>
#include <stdio.h>

static int count, flag;
static char set;

static void *work(void *arg) {
    __atomic_add_fetch(&count, 5, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&count, 1, __ATOMIC_ACQ_REL);
    __atomic_fetch_or(&flag, 1, __ATOMIC_RELEASE);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int expected, one;
    pthread_create(&thread, NULL, work, NULL);
    __atomic_fetch_or(&flag, 2, __ATOMIC_RELEASE);
    do {
        expected = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    } while (!__atomic_compare_exchange_n(&count, &expected, expected + 3, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    one = __atomic_test_and_set(&set, __ATOMIC_SEQ_CST) == 0;
    pthread_join(thread, NULL);
    printf("%d %d %d\n", __atomic_exchange_n(&count, 0, __ATOMIC_SEQ_CST), flag, one);
}

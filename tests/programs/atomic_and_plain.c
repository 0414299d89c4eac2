// An atomic write beside a plain read races.
// outcome: "0\n"
// outcome: "1\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static int value;

static void *work(void *arg) {
    __atomic_store_n(&value, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = value;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

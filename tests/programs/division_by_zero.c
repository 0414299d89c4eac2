// Division by zero ends that run quietly.
// outcome: "7\n"
// outcome: undefined division-by-zero
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int divisor;

static void *work(void *arg) {
    divisor = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    printf("%d\n", 7 / divisor);
    pthread_join(thread, NULL);
}

// A call of reach_error ends the program.
// outcome: "0"
// outcome: abort "0"
// outcome: error call
// compiled: no, reach_error is not defined
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

extern void reach_error(void);

static atomic_int value;

static void *work(void *arg) {
    value = 1;
    value = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    printf("0");
    pthread_create(&thread, NULL, work, NULL);
    if (value == 1)
        reach_error();
    pthread_join(thread, NULL);
}

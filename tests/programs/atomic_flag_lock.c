// A spin lock made of an atomic flag orders plain accesses.
// outcome: "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *arg) {
    while (atomic_flag_test_and_set(&flag))
        ;
    counter++;
    atomic_flag_clear(&flag);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}

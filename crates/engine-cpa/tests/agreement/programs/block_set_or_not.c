// A block that holds a number or nothing yet.
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *set(void *arg) {
    __atomic_store_n(&x, 1, 5);
    return 0;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, 0, set, 0);
    if (__atomic_load_n(&x, 5))
        *block = 1;
    pthread_join(thread, 0);
    free(block);
}

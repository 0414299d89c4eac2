// The older builtins: one step each, no races.
// outcome: "5 1 0\n"
#include <pthread.h>
#include <stdio.h>

static int count, lock, swapped, plain;

static void *work(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    plain++;
    __sync_lock_release(&lock);
    __sync_fetch_and_add(&count, 3);
    __sync_sub_and_fetch(&count, 1);
    if (__sync_bool_compare_and_swap(&swapped, 0, 1))
        __sync_add_and_fetch(&count, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    __sync_synchronize();
    int old = __sync_val_compare_and_swap(&swapped, 1, 0);
    printf("%d %d %d\n", count, old, swapped);
}

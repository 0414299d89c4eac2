// Another thread can write a thread-local object through a pointer, and its own copy is another.
// outcome: "7 1\n"
#include <pthread.h>
#include <stdio.h>

static __thread int value;

static void *work(void *arg) {
    value = 1;
    *(int *)arg = 7;
    return (void *)(long)value;
}

int main(void) {
    pthread_t thread;
    void *seen;
    pthread_create(&thread, NULL, work, &value);
    pthread_join(thread, &seen);
    printf("%d %ld\n", value, (long)seen);
}

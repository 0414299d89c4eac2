// A thread-local object whose address went to another thread races as any other.
// outcome: "0\n"
// outcome: "7\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static _Thread_local int value;

static void *work(void *arg) {
    *(int *)arg = 7;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &value);
    int seen = value;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

// abort ends all threads, whoever calls it.
// outcome: abort ""
// outcome: abort "m"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) {
    abort();
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    printf("m");
    pthread_join(thread, NULL);
    printf("never");
}

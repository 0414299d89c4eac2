// A thread's value is a way to the block, until a join throws it away.
// outcome: exit "joined"
// outcome: lost
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *arg) { return malloc(4); }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("joined");
    exit(0);
}

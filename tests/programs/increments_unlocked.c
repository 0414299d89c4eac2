// Two increments without a lock: one may be lost.
// outcome: "1\n"
// outcome: "2\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *work(void *arg) {
    counter++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    counter++;
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}

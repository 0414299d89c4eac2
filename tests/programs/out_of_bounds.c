// One element past the end, in a thread that got the wrong length.
// outcome: invalid-access
// compiled: no, it is undefined
#include <pthread.h>
#include <stdio.h>

static int values[2];

static void *sum(void *arg) {
    long total = 0;
    for (long i = 0; i <= (long)arg; i++)
        total += values[i];
    return (void *)total;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sum, (void *)2);
    pthread_join(thread, NULL);
    printf("end\n");
}

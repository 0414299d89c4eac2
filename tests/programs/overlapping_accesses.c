// A byte inside an int: the accesses overlap, so they race.
// outcome: "0\n"
// outcome: "256\n"
// outcome: race
#include <pthread.h>
#include <stdio.h>

static int word;

static void *work(void *arg) {
    ((char *)&word)[1] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = word;
    pthread_join(thread, NULL);
    printf("%d\n", seen);
}

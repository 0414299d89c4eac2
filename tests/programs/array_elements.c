// Neighbours in an array, even of bytes, are different locations.
// outcome: "1 2\n"
#include <pthread.h>
#include <stdio.h>

static char bytes[2];

static void *work(void *arg) {
    bytes[0] = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    bytes[1] = 2;
    pthread_join(thread, NULL);
    printf("%d %d\n", bytes[0], bytes[1]);
}

// A pointer copied byte by byte to another thread is the same pointer.
// outcome: "9\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char bytes[sizeof(int *)];

static void *work(void *arg) {
    int *pointer;
    for (unsigned i = 0; i < sizeof pointer; i++)
        ((unsigned char *)&pointer)[i] = bytes[i];
    *pointer = 9;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *block = malloc(sizeof *block);
    for (unsigned i = 0; i < sizeof block; i++)
        bytes[i] = ((unsigned char *)&block)[i];
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", *block);
    free(block);
}

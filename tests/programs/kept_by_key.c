// A thread-specific value keeps its block.
// outcome: "freed\n"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *arg) {
    pthread_setspecific(key, malloc(4));
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("freed\n");
}

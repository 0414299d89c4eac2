// pthread_exit in main does not end the others.
// outcome: "t"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    printf("t");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}

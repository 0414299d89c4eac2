// Return from main ends the others wherever they are.
// outcome: ""
// outcome: "a"
// outcome: "ab"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    printf("a");
    printf("b");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}

// A thread detaches itself; joining it is undefined once it has, so nobody does.
// outcome: "d"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    pthread_detach(pthread_self());
    printf("d");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}

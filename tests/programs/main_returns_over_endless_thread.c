// A thread that never ends does not keep main from returning.
// outcome: ""
#include <pthread.h>

static void *work(void *arg) {
    for (;;)
        ;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}

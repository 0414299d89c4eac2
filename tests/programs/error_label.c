// The label ERROR in a program without other signs; the run goes on behind it.
// outcome: "after\n"
// outcome: error label
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    if (arg)
        goto ERROR;
    return NULL;
ERROR:
    printf("after\n");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    pthread_join(thread, NULL);
}

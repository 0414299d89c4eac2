// Detached threads run on, whether detached by a call or by attributes.
// outcome: "ab"
// outcome: "ba"
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    printf("%s", (char *)arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_create(&thread, NULL, work, "a");
    pthread_detach(thread);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, "b");
    pthread_attr_destroy(&attributes);
    pthread_exit(NULL);
}

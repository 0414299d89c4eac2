// Popping runs the handler if asked; what was popped does not run at the end.
// outcome: "b.a."
#include <pthread.h>
#include <stdio.h>

static void handler(void *arg) { printf("%s", (char *)arg); }

static void *work(void *arg) {
    pthread_cleanup_push(handler, "a");
    pthread_cleanup_push(handler, "b");
    pthread_cleanup_push(handler, "c");
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    printf(".");
    pthread_cleanup_pop(arg != NULL);
    printf(".");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, "yes");
    pthread_join(thread, NULL);
}

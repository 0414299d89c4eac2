// No destructor of a deleted key runs, and none when main returns.
// outcome: "end\n"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t deleted, of_main;

static void destroy(void *value) { printf("never"); }

static void *work(void *arg) {
    pthread_setspecific(deleted, "x");
    pthread_key_delete(deleted);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&deleted, destroy);
    pthread_key_create(&of_main, destroy);
    pthread_setspecific(of_main, "x");
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("end\n");
}

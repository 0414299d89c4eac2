// pthread_exit runs the handlers, newest first, while the locals they were given are still there; then destructors.
// outcome: "2 1 k"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;

static void handler(void *arg) { printf("%d ", *(int *)arg); }

static void destroy(void *value) { printf("k"); }

static void leave(void) {
    int two = 2;
    pthread_cleanup_push(handler, &two);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
}

static void *work(void *arg) {
    int one = 1;
    pthread_setspecific(key, &key);
    pthread_cleanup_push(handler, &one);
    leave();
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

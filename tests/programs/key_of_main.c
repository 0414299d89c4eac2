// Each thread has its own value. Return from main runs no destructor, pthread_exit does.
// outcome: "1t m"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;

static void destroy(void *value) { printf("%s", (char *)value); }

static void *work(void *arg) {
    printf("%d", pthread_getspecific(key) == NULL);
    pthread_setspecific(key, "t ");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, "m");
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_exit(NULL);
}

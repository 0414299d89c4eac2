// Destructors of keys run before join returns.
// outcome: "7\n"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) { destroyed = (int)(long)value; }

static void *work(void *arg) {
    pthread_setspecific(key, arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, (void *)7);
    pthread_join(thread, NULL);
    printf("%d\n", destroyed);
}

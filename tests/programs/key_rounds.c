// A destructor that sets its key again is called again, four times in all.
// outcome: "4\n"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int calls;

static void destroy(void *value) {
    calls++;
    pthread_setspecific(key, value);
}

static void *work(void *arg) {
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", calls);
}

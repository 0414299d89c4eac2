// String literals are read-only.
// outcome: invalid-access
#include <pthread.h>

static void *work(void *arg) {
    *(char *)arg = 'b';
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, "a");
    pthread_join(thread, NULL);
}

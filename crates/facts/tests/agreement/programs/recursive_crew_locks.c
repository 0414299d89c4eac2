// Threads that create more of their kind, each with a lock of its own.
#include <pthread.h>
int x;
void *f(void *arg) {
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_t t;
    if (arg)
        pthread_create(&t, 0, f, (char *)arg - 1);
    pthread_mutex_lock(&own);
    x++;
    pthread_mutex_unlock(&own);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, (void *)2);
    pthread_exit(0);
}

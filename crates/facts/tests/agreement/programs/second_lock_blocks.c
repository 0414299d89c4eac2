// A mutex that reports errors, locked twice and given back once.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m;
int x;
void *f(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2;
    return 0;
}

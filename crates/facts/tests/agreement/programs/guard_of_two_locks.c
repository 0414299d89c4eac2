// Two locks guard; one of them is given back for a while.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x = 1;
    pthread_mutex_unlock(&n);
    pthread_mutex_lock(&n);
    y = x;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return 0;
}
void *g(void *arg) {
    pthread_mutex_lock(&n);
    x = 2;
    pthread_mutex_unlock(&n);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    int z = x;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return z;
}

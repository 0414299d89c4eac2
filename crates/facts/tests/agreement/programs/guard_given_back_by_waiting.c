// A wait gives the lock back: what it guards may change.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, x, y;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    x = 5;
    while (!ready) pthread_cond_wait(&c, &m);
    if (x == 5) y = 1; else y = 2;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = 6;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return y;
}

// A guard that is taken by trylock.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) { x = 1; y = x; pthread_mutex_unlock(&m); }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = 2;
    if (x == 2) y = 2;
    pthread_mutex_unlock(&m);
    if (pthread_mutex_trylock(&m)) return 0;
    y = x;
    return 0;
}

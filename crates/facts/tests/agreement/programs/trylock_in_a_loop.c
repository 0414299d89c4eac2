// A trylock whose result variable is that of the round before.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *arg) {
    int r = 1;
    for (int i = 0; i < 2; i++) {
        if (r == 0) { x = 1; pthread_mutex_unlock(&m); }
        if (__VERIFIER_nondet_int()) r = pthread_mutex_trylock(&m);
        else r = 0;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

// A recursive mutex locked under two names.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m, n;
int x;
void *f(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_mutex_init(&n, &a);
    pthread_create(&t, 0, f, 0);
    pthread_mutex_t *p = __VERIFIER_nondet_int() ? &m : &n;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(p);
    pthread_mutex_unlock(&m);
    x = 2;
    pthread_mutex_unlock(p);
    x = 3;
    return 0;
}

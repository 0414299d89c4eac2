// A thread that waits in an atomic section lets others in.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    pthread_mutex_lock(&m);
    if (x != 1) y = 1;
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, f, 0);
    __VERIFIER_atomic_begin();
    x = 2;
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    return 0;
}

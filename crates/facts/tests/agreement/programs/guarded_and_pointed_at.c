// What a lock guards is pointed at by something that nothing guards, on one way only.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
int *_Atomic p;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    x = 5;
    if (__VERIFIER_nondet_int()) {
        x = 7;
        p = &x;
    }
    if (x == 7) y = 1; else y = 2;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    p = &y;
    pthread_mutex_lock(&m);
    int z = x + y;
    pthread_mutex_unlock(&m);
    return z;
}

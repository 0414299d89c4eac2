// Readers know what is there while they read.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
void *f(void *arg) {
    pthread_rwlock_rdlock(&l);
    int a = x;
    int b = x;
    if (a != b) y = 1;
    pthread_rwlock_unlock(&l);
    pthread_rwlock_rdlock(&l);
    if (x != a) y = 2;
    pthread_rwlock_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, f, 0);
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    pthread_exit(0);
}

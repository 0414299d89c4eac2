// A lock guards a pointer to a block that its holder keeps using after it gave the lock back.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *g;
void *f(void *arg) {
    int *p = malloc(4);
    *p = 1;
    pthread_mutex_lock(&m);
    g = p;
    *p = 2;
    pthread_mutex_unlock(&m);
    *p = 3;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    int *p = g;
    if (p) *p = 4;
    pthread_mutex_unlock(&m);
    return 0;
}

// More ways to hold locks than are kept apart.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m[4];
int x;
void *leaf(void *arg) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    if (a) pthread_mutex_lock(&m[0]);
    if (b) pthread_mutex_lock(&m[1]);
    if (c) pthread_mutex_lock(&m[2]);
    x = 1;
    if (a) x = 2;
    if (c) pthread_mutex_unlock(&m[2]);
    if (b) pthread_mutex_unlock(&m[1]);
    if (a) pthread_mutex_unlock(&m[0]);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, leaf, 0);
    pthread_mutex_lock(&m[0]);
    x = 2;
    pthread_mutex_unlock(&m[0]);
    return 0;
}

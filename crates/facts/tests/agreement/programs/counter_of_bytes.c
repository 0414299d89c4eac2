// A counter of which a byte falls from its sign to zero.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int c = 255, a[600];
void *f(void *arg) {
    pthread_mutex_lock(&m);
    int n = c;
    if (n < 0 || n > 500) {
        pthread_mutex_unlock(&m);
        return 0;
    }
    c = n + 1;
    pthread_mutex_unlock(&m);
    a[n] = 1;
    return 0;
}
void *g(void *arg) {
    pthread_mutex_lock(&m);
    signed char *p = (signed char *)&c;
    if (*p == -1) *p = 0;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, g, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

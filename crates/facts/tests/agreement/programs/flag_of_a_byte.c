// A flag of which one byte is set.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int flag = 128, x;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    if (flag < 100) x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    int seen = flag;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    *(signed char *)&flag = 0;
    pthread_mutex_unlock(&m);
    x = 2;
    return seen;
}

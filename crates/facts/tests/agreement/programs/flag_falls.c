// A flag that falls again.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int flag, x;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    if (flag == 0) x = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    flag = 0;
    pthread_mutex_unlock(&m);
    x = 2;
    return 0;
}

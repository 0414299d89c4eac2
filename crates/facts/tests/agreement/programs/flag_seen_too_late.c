// A flag is read, and the lock given back before the access.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int flag, x;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    int go = flag == 0;
    pthread_mutex_unlock(&m);
    if (go) x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    x = 2;
    return 0;
}

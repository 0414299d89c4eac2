// A number is read, the lock given back, and the counter raised later.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int c, a[8];
void *f(void *arg) {
    pthread_mutex_lock(&m);
    int n = c;
    if (n < 0 || n > 6) {
        pthread_mutex_unlock(&m);
        return 0;
    }
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    c = n + 1;
    pthread_mutex_unlock(&m);
    a[n] = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    c = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

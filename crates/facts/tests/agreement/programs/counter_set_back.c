// A counter that the first thread sets back when it is alone.
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
    c = n + 1;
    pthread_mutex_unlock(&m);
    a[n] = 1;
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    c = 0;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_mutex_lock(&m);
    c = 0;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

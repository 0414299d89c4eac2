// A guarded global is also written by a pointer.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y, *p = &x;
void *f(void *arg) { *p = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = 2;
    if (x == 1) y = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

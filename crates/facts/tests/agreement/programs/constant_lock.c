// The lock is read from a record that nobody replaces.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct s { pthread_mutex_t *m; } g;
pthread_mutex_t a, b;
int x;
void *f(void *arg) { pthread_mutex_t *m = g.m; pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return 0; }
int main(void) {
    pthread_t t;
    g.m = __VERIFIER_nondet_int() ? &a : &b;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

// A lock in an array of variable length is another one in each round.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *f(void *arg) { pthread_mutex_lock(arg); x++; pthread_mutex_unlock(arg); return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2) return 0;
    pthread_t t;
    int i = 0;
again:;
    {
        pthread_mutex_t m[n];
        pthread_mutex_init(&m[0], 0);
        pthread_create(&t, 0, f, m);
        pthread_detach(t);
        if (i++ == 0) goto again;
        for (;;) ;
    }
}

// A thread-local object is shared on one way only, and used by its name.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *g;
_Thread_local int own;
void *f(void *arg) { if (g) *g = 1; return 0; }
int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_int())
        g = &own;
    pthread_create(&t, 0, f, 0);
    own = 2;
    pthread_join(t, 0);
    return 0;
}

// A thread shares its own object on one way only.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *_Atomic g;
_Thread_local int own;
void *f(void *arg) {
    if (__VERIFIER_nondet_int())
        g = &own;
    own = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 1;
    pthread_join(t, 0);
    return 0;
}

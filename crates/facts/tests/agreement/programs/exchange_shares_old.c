// What is exchanged may be shared by the exchange itself.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *_Atomic g;
void *f(void *arg) {
    int *_Atomic own = 0;
    int *b = malloc(4);
    *b = 0;
    own = b;
    int *_Atomic *where = __VERIFIER_nondet_int() ? &own : &g;
    int *expected = where == &own ? b : 0;
    int *old = expected;
    __atomic_compare_exchange_n(where, &old, b, 0, 5, 5);
    if (old) *old = 1;
    *b = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

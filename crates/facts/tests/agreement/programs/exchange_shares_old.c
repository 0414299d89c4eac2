// What an exchange finds may be shared by what it stores.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct s { int *_Atomic p; };
struct s g;
int x;
void *f(void *arg) {
    struct s own;
    int *b = malloc(4);
    *b = 0;
    own.p = b;
    struct s *where = __VERIFIER_nondet_int() ? &own : &g;
    int *got = &x;
    __atomic_compare_exchange_n(&where->p, &got, b, 0, 5, 5);
    if (got) *got = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g.p;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

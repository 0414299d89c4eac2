// An array of variable length is another one in each round.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int a[4];
void *f(void *arg) { int *p = arg; a[*p]++; return 0; }
int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 2) return 0;
    int last = -1, x = 0, y = 0;
    for (int i = 0; i < 2; i++) {
        int v[n];
        v[0] = i;
        pthread_create(&t, 0, f, v);
        x = y;
        y = v[0];
        pthread_join(t, 0);
    }
    return x - y;
}

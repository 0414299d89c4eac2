// One place allocates blocks of different sizes.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *make(int n) { int *p = malloc(n * 4); p[0] = 1; return p; }
int main(void) {
    int r = 0;
    for (int i = 1; i < 3; i++) { int *p = make(i); p[1] = 2; r += p[1]; }
    return r;
}

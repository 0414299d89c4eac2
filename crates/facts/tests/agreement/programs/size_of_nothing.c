// A block of no size, and one that grows less.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 8) return 0;
    char *p = malloc(n);
    if (n > 4) p[4] = 1;
    p = realloc(p, 4);
    p[3] = 1;
    if (n == 7) p[4] = 2;
    return 0;
}

// Comparisons of numbers of other widths and signs.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    unsigned u = i;
    signed char c = i;
    unsigned char d = i;
    int r = 0;
    if (c < i) r = 1;
    if (d <= i) r = 2;
    if (u > 5u) r = i;
    if (c == d) r = c;
    if ((unsigned)c == d) r = d;
    if ((long)u == i) r = u;
    return r;
}

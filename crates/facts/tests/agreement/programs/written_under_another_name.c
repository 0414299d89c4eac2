// A local is written by a pointer while its cell is named by a variable.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int a[4];
int main(void) {
    int here = __VERIFIER_nondet_int();
    int other = 3;
    int *p = __VERIFIER_nondet_int() ? &here : &other;
    int x = here;
    *p = 2;
    int y = here;
    if (x == y) a[0] = 1;
    x = y + 1;
    here = x;
    int z = here;
    return z - x;
}

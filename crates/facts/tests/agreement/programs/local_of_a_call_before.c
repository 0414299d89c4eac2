// A pointer to the local of the call before.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *p;
int f(int i) {
    int here = i;
    int r = i ? *p : 0;
    p = &here;
    return r;
}
int main(void) { int r = 0; for (int i = 0; i < 2; i++) r = f(i); return r; }

// A function whose locals outlive nothing, called twice with terms over them.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int id(int n) { int m = n; return m; }
int main(void) {
    int a = id(__VERIFIER_nondet_int());
    int b = id(__VERIFIER_nondet_int());
    int c[2] = { a, b };
    int d = c[0], e = c[1];
    for (int i = 0; i < 2; i++) { d = id(c[i]); e = d + i; }
    return a - b + d - e;
}

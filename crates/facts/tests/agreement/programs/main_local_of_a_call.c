// The address of a local of a function that main calls, kept.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *g;
void set(void) { int here = 1; g = &here; }
int main(void) { set(); return *g; }

// An atomic sum of what others wrote.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

_Atomic int a = 2147483647;
int b = 2147483647;
int main(void) { a++; int c = a; b += 1; c -= 1; c = -c - 2; return c; }

// The handle of another thread is joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *f(void *arg) { x = 1; return 0; }
void *g(void *arg) { return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, g, 0);
    pthread_join(__VERIFIER_nondet_int() ? a : b, 0);
    x = 2;
    return 0;
}

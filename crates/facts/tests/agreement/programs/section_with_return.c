// An atomic section that some ways leave by return.
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int x;
int try_it(void) {
    __VERIFIER_atomic_begin();
    x = 1;
    if (__VERIFIER_nondet_int()) return 1;
    __VERIFIER_atomic_end();
    return 0;
}
void *f(void *arg) {
    int r = try_it();
    x = 2;
    if (r) __VERIFIER_atomic_end();
    x = 3;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    __VERIFIER_atomic_begin();
    x = 4;
    __VERIFIER_atomic_end();
    return 0;
}

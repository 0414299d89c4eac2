// A thread is joined on one way only.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *f(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int joined = __VERIFIER_nondet_int();
    if (joined) pthread_join(t, 0);
    x = 2;
    if (!joined) pthread_join(t, 0);
    x = 3;
    return 0;
}

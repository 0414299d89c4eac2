// A pointer to the own object of a thread that has ended.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

_Thread_local int own;
void *f(void *arg) { own = 1; return &own; }
int main(void) {
    pthread_t t;
    void *p;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, &p);
    return *(int *)p;
}

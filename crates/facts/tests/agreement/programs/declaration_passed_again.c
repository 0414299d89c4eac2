// A declaration that is passed again changes an object that is shared.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void *f(void *arg) { return *(void **)arg; }
int main(void) {
    pthread_t t;
    long n = 0, u = 0, v = 0;
    {
        long *q;
again:;
        long here[2] = {};
        if (n == 0) {
            here[1] = 7;
            q = here;
            pthread_create(&t, 0, f, here);
            u = q[1];
            n = 1;
            goto again;
        }
        v = q[1];
    }
    pthread_join(t, 0);
    return u - v;
}

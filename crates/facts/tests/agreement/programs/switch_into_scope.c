// A scope that is entered behind its declarations.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int *_Atomic g;
void *f(void *arg) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++)
        switch (n) {
            int here;
        case 0:
            here = 1;
            g = &here;
        case 1:
            here = 2;
            n = 1;
        }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

// One place creates threads of two functions.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
void *f(void *arg) { x = 1; return 0; }
void *g(void *arg) { y = 1; return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, __VERIFIER_nondet_int() ? f : g, 0);
    pthread_join(t[0], 0);
    x = 2;
    y = 2;
    return 0;
}

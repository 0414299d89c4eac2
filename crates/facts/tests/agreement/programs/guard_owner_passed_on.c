// The owner creates a thread that touches what it owned.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x, y;
void *leaf(void *arg) { x = 2; return 0; }
void *f(void *arg) {
    pthread_t t;
    x = 1;
    y = x;
    pthread_create(&t, 0, leaf, 0);
    pthread_join(t, 0);
    y = x;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return x + y;
}

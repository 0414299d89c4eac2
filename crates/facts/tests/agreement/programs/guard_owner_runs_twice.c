// Threads of one kind own a global one after another.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x, y;
void *f(void *arg) { x++; if (x == 2) y = 1; return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, 0, f, 0);
        pthread_join(t, 0);
    }
    return x + y;
}

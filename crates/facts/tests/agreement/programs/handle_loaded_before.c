// A handle is loaded, another thread put there, and the first joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t[1];
    pthread_t old = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1) old = t[0];
        pthread_create(&t[0], 0, leaf, 0);
    }
    pthread_join(old, 0);
    x = 2;
    return 0;
}

// More threads of the kind are created while the first are joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
void make(pthread_t *t) { pthread_create(t, 0, leaf, 0); }
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 3; i++) {
        make(&t[i]);
        if (i == 1) { pthread_join(t[0], 0); make(&t[0]); }
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    x = 2;
    return 0;
}

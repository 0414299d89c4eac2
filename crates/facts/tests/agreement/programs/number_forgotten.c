// A counter that is set anew between, and counted on afterwards.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int a[8];
void *leaf(void *arg) { a[(long)arg & 7]++; return 0; }
int main(void) {
    pthread_t t;
    int j = 0;
    int i = __VERIFIER_nondet_int();
    for (int k = 0; k < 2; k++) {
        pthread_create(&t, 0, leaf, (void *)(long)i);
        i = __VERIFIER_nondet_int();
        j = i;
        i = i + 1;
    }
    pthread_exit((void *)(long)j);
}

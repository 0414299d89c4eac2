// The creator counts down.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int a[4];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 2; i > 0; i--) {
        a[i] = 1;
        pthread_create(&t, 0, leaf, (void *)i);
        a[i + 1] = 2;
    }
    pthread_exit(0);
}

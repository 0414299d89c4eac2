// The creator fills the slot of the next thread, and one of an earlier one.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int a[4];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 0; i < 3; i++) {
        a[i] = 1;
        if (i == 2) a[i - 1] = 2;
        pthread_create(&t, 0, leaf, (void *)i);
    }
    pthread_exit(0);
}

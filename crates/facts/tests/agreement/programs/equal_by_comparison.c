// Values found equal by comparison, then one changes.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int a[8];
void *leaf(void *arg) { a[(long)arg & 7]++; return 0; }
int main(void) {
    pthread_t t;
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), k = j;
    if (i != j) return 0;
    pthread_create(&t, 0, leaf, (void *)(long)i);
    j++;
    if (i < j && k == i) {
        int m = j;
        i = m - 1;
        pthread_create(&t, 0, leaf, (void *)(long)i);
        i = k;
        pthread_create(&t, 0, leaf, (void *)(long)j);
    }
    return i + j + k;
}

// A thread is created on one way only, its handle joined if so.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t[2];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2) return 0;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, leaf, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    x = 2;
    n = n + 1;
    pthread_create(&t[0], 0, leaf, 0);
    x = 3;
    return 0;
}

// The creator fills a slot just after it gave it away.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int a[4];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 0; i < 2; i++) {
        a[i] = 1;
        pthread_create(&t, 0, leaf, (void *)i);
        a[i] = 3;
    }
    pthread_exit(0);
}

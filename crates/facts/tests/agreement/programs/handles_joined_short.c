// One handle too few is joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, leaf, 0);
    for (int i = 1; i < 3; i++)
        pthread_join(t[i], 0);
    x = 2;
    return 0;
}

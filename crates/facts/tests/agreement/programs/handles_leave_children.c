// All handles are joined, but what those threads created still runs.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
void *node(void *arg) { pthread_t t; pthread_create(&t, 0, leaf, 0); return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, node, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    x = 2;
    return 0;
}

// Handles are swapped before they are joined, one twice and one not at all.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, leaf, 0);
    pthread_t h = t[0];
    t[0] = t[1];
    pthread_join(h, 0);
    x = 2;
    pthread_join(t[0], 0);
    return 0;
}

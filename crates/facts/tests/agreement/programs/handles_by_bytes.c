// Handles in an array of bytes that overlap.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x = 1; return 0; }
int main(void) {
    char room[16] __attribute__((aligned(8)));
    for (int i = 0; i < 2; i++)
        pthread_create((pthread_t *)(room + 4 * i), 0, leaf, 0);
    for (int i = 1; i < 2; i++)
        pthread_join(*(pthread_t *)(room + 4 * i), 0);
    x = 2;
    return 0;
}

// Rounds of threads over one array; the last round is not joined.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x;
void *leaf(void *arg) { x++; return 0; }
int main(void) {
    pthread_t t[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++)
            pthread_create(&t[i], 0, leaf, 0);
        if (k == 0)
            for (int i = 0; i < 2; i++)
                pthread_join(t[i], 0);
    }
    x = 2;
    return 0;
}

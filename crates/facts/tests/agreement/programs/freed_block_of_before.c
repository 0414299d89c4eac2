// The block of the round before is given back again.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *q = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        if (i == 1) free(q);
        q = p;
        if (i == 0) free(p);
    }
    return 0;
}

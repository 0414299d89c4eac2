// A pointer to the local of the round before.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = 0, r = 0;
    for (int i = 0; i < 2; i++) {
        int here = i;
        if (i == 1) r = *p;
        p = &here;
    }
    return r;
}

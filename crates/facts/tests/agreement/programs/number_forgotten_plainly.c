// A counter that is set anew between, and counted on afterwards.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int a[8];
void *leaf(void *arg) { *(int *)arg += 1; return 0; }
int main(void) {
    pthread_t t;
    int j = 0, i = 5;
    for (int k = 0; k < 2; k++) {
        pthread_create(&t, 0, leaf, &a[i]);
        i = __VERIFIER_nondet_int();
        if (i < 0 || i > 4) return 0;
        i += 3;
        int m = i;
        i = i + 1;
        j += m;
    }
    pthread_exit((void *)(long)j);
}

// A local that begins anew in each round, shared in one.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    for (int i = 0; i < 3; i++) {
        int here = i;
        int *p = &here;
        if (i == 1) g = p;
        here = 5;
        *p = 6;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

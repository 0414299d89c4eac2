// A block of a frame, shared.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *p = __builtin_alloca(8);
    p[0] = 1;
    g = p;
    p[0] = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) p[0] = 3;
    pthread_join(t, 0);
    return 0;
}

// Locals of several frames of one function, one of them shared.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
int sum(int n, int *up) {
    int here = n;
    if (n == 1) g = up;
    if (n > 0) sum(n - 1, &here);
    here = n + 1;
    return here;
}
void *f(void *arg) { sum(2, 0); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

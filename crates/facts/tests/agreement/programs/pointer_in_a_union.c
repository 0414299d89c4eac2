// A pointer stored as a pointer and read as a number.
#include <pthread.h>
#include <stdlib.h>
union { int *p; unsigned long n; } u;
_Atomic unsigned long g;
void *f(void *arg) {
    int *p = malloc(4);
    u.p = p;
    g = u.n ^ 0xff00;
    *p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    unsigned long n = g;
    if (n) *(int *)(n ^ 0xff00) = 1;
    pthread_join(t, 0);
    return 0;
}

// Blocks of several frames of one function.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void make(int n) {
    int *p = malloc(4);
    *p = n;
    if (n > 0) make(n - 1);
    if (n == 1) g = p;
    *p = 5;
}
void *f(void *arg) { make(2); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

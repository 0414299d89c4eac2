// A global pointer set before and after the creation.
#include <pthread.h>
#include <stdlib.h>
int a, b;
int *_Atomic g = &a;
void *f(void *arg) { int *p = g; *p = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    g = &b;
    b = 2;
    pthread_join(t, 0);
    return a;
}

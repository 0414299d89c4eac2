// A callee publishes the address of its caller's local.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void publish(int **p) { g = *p; }
void *f(void *arg) {
    int own = 1;
    int *p = &own;
    publish(&p);
    own = 2;
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

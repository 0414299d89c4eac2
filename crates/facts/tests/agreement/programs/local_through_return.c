// The address of a local by return and by another thread.
#include <pthread.h>
#include <stdlib.h>
int *keep(int *p) { return p; }
int *_Atomic g;
void *f(void *arg) {
    int own = 1;
    int *p = keep(&own);
    g = p;
    own = 2;
    while (g) ;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    g = 0;
    pthread_join(t, 0);
    return 0;
}

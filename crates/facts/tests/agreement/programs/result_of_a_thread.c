// What a thread returns is used by who joins it, and by others.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *p = malloc(4);
    *p = 1;
    return p;
}
void *h(void *arg) { int *p = g; if (p) *p = 2; return 0; }
int main(void) {
    pthread_t t, u;
    void *r;
    pthread_create(&u, 0, h, 0);
    pthread_create(&t, 0, f, 0);
    pthread_join(t, &r);
    g = r;
    *(int *)r = 3;
    return 0;
}

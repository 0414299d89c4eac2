// A block that grows, shared at the end.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *p = 0;
    for (int i = 1; i < 4; i++) {
        p = realloc(p, i * sizeof *p);
        p[i - 1] = i;
    }
    g = p;
    p[0] = 7;
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

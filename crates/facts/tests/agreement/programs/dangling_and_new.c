// A pointer to a block given back, and a new block of the same place.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *old = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        *p = i;
        if (i == 0) { free(p); old = p; }
        else { if (old == p) *p = 7; g = p; *p = 8; }
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

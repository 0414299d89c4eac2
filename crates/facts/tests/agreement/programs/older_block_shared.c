// The older of two blocks is shared.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *last = 0;
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        *p = i;
        if (last) { g = last; *last = 5; *p = 6; }
        last = p;
    }
    *last = 9;
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

// A pointer that walks over slots, and back.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *f(void *arg) { ++*(int *)arg; return 0; }
int main(void) {
    pthread_t t;
    int *p = a;
    for (int k = 0; k < 2; k++) {
        pthread_create(&t, 0, f, p);
        p++;
        if (k == 0) p--;
    }
    pthread_exit(0);
}

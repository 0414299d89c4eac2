// The same by one place in a loop, with blocks.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void *f(void *arg) {
    int *p = g;
    int *own = malloc(4);
    *own = 0;
    g = own;
    *own = 1;
    if (p) *p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

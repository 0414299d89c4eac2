// A destructor gives a block to others.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t k;
int *_Atomic g;
void destroy(void *p) { g = p; *(int *)p = 1; }
void *f(void *arg) {
    int *p = malloc(4);
    pthread_setspecific(k, p);
    *(int *)pthread_getspecific(k) = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

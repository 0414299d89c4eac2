// The result of a trylock by way of a copy, and a copy of something else.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *f(void *arg) {
    int r = pthread_mutex_trylock(&m);
    int copy = r;
    r = 0;
    if (copy == 0) { x = 1; pthread_mutex_unlock(&m); }
    if (r == 0) y = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    x = 2;
    y = 2;
    pthread_mutex_unlock(&m);
    return 0;
}

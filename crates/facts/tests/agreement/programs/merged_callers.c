// One helper called from many places by several threads.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void add(int *p, int n) { int before = *p; *p = before + n; }
void *f(void *arg) { pthread_mutex_lock(&m); add(&x, 1); pthread_mutex_unlock(&m); add(&y, 1); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m); add(&x, 2); pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    add(&y, 2);
    add(&x, 2);
    return 0;
}

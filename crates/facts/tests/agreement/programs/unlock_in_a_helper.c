// Locks that helpers take and give back.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
void enter(pthread_mutex_t *l) { pthread_mutex_lock(l); }
void leave(pthread_mutex_t *l) { pthread_mutex_unlock(l); }
void *f(void *arg) { enter(&m); x = 1; leave(&m); enter(&n); x = 2; leave(&n); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    enter(&m); x = 3; leave(&m);
    return 0;
}

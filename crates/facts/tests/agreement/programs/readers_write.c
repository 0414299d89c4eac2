// A read lock does not protect a write.
#include <pthread.h>
#include <stdlib.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;
void *f(void *arg) { pthread_rwlock_rdlock(&l); x = 1; pthread_rwlock_unlock(&l); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_rwlock_rdlock(&l);
    int y = x;
    pthread_rwlock_unlock(&l);
    return y;
}

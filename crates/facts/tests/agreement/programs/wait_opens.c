// Waiting for a signal gives the mutex back.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y;
void *f(void *arg) {
    pthread_mutex_lock(&m);
    y = 1;
    pthread_cond_wait(&c, &m);
    x = y;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(&m);
    y = 2;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    x = 1;
    return 0;
}

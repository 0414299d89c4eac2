// A thread gives back what it does not hold: its lock is another element.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
int x;
void *f(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&m[i]);
    pthread_mutex_unlock(&m[i ^ 1]);
    x++;
    pthread_mutex_unlock(&m[i]);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, (void *)0);
    pthread_mutex_lock(&m[1]);
    x = 2;
    pthread_mutex_unlock(&m[1]);
    return 0;
}

// Two controls, one routine.
#include <pthread.h>
#include <stdlib.h>
pthread_once_t o = PTHREAD_ONCE_INIT, o2 = PTHREAD_ONCE_INIT;
int x;
void make(void) { x++; }
void *f(void *arg) { pthread_once(&o, make); return (void *)(long)x; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_once(&o2, make);
    return x;
}

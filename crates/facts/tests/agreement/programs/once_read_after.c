// Reading after a routine that runs once is no race.
#include <pthread.h>
#include <stdlib.h>
pthread_once_t o = PTHREAD_ONCE_INIT;
int x;
void make(void) { x = 1; }
void *f(void *arg) { pthread_once(&o, make); return (void *)(long)x; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_once(&o, make);
    return x;
}

// What is written before a routine that runs once, and in it.
#include <pthread.h>
#include <stdlib.h>
pthread_once_t o = PTHREAD_ONCE_INIT;
int x, y;
void make(void) { x = 1; y = 1; }
void *f(void *arg) { y = 2; pthread_once(&o, make); x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_once(&o, make);
    int z = x + y;
    return z;
}

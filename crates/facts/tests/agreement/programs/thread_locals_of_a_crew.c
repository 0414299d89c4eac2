// Threads of one kind pass each other their own objects.
#include <pthread.h>
#include <stdlib.h>
_Thread_local int own;
int *_Atomic g;
void *f(void *arg) {
    int *p = g;
    g = &own;
    own = 1;
    if (p) *p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

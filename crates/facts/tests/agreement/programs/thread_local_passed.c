// A thread-local object passed to another thread that has its own.
#include <pthread.h>
#include <stdlib.h>
_Thread_local int own;
void *f(void *arg) { int *p = arg; own = 1; *p = 2; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, &own);
    own = 3;
    pthread_join(t, 0);
    return 0;
}

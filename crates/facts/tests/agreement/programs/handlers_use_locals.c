// A clean-up handler writes a local that is shared.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
void handle(void *p) { *(int *)p = 1; }
void inner(void) {
    int here = 0;
    pthread_cleanup_push(handle, &here);
    g = &here;
    pthread_exit(0);
    pthread_cleanup_pop(0);
}
void *f(void *arg) { inner(); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int *p = g;
    if (p) *p = 3;
    pthread_join(t, 0);
    return 0;
}

// A clean-up handler writes what only its thread touches; the first thread reads it at the end.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int x, y;
void handle(void *p) { x = 2; }
void *f(void *arg) {
    x = 1;
    pthread_cleanup_push(handle, 0);
    if (__VERIFIER_nondet_int()) pthread_exit(0);
    pthread_cleanup_pop(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    y = x;
    if (y == 2) y = 3;
    return y;
}

// A condition is passed to a function that locks if it holds.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void maybe(int lock) { if (lock) pthread_mutex_lock(&m); }
void undo(int lock) { if (lock) pthread_mutex_unlock(&m); }
void *leaf(void *arg) { int c = __VERIFIER_nondet_int(); maybe(c > 0); if (c > 0) x = 1; undo(c > 0); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, leaf, 0);
    maybe(1);
    x = 2;
    undo(1);
    int c = __VERIFIER_nondet_int();
    maybe(c == 0);
    if (c >= 0) x = 3;
    undo(c == 0);
    return 0;
}

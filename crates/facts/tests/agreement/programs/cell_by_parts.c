// The first byte of a cell is not the cell.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int c, a[600];
void *f(void *arg) { int x = c; unsigned char y = *(unsigned char *)&c; a[x + 1] = 1; a[y + 1] = 2; return (void *)(long)(x - y); }
int main(void) {
    pthread_t t;
    c = __VERIFIER_nondet_int();
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}

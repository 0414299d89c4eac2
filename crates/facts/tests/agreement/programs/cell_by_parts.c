// The first byte of a cell is not the cell.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int c;
int keep[2];
void *f(void *arg) {
    int x = c;
    unsigned char y = *(unsigned char *)&c;
    int z = y;
    keep[0] = x;
    keep[1] = z;
    return (void *)(long)(x - z);
}
int main(void) {
    pthread_t t;
    c = __VERIFIER_nondet_int() ? 256 : 1;
    pthread_create(&t, 0, f, 0);
    int r = c;
    pthread_join(t, 0);
    return r;
}

// Bit-fields of one unit.
#include <pthread.h>
#include <stdlib.h>
struct { unsigned a : 3, b : 5; } s;
void *f(void *arg) { s.a = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    s.b = 2;
    return s.a;
}

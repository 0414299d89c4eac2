// A number that is half of an address.
#include <pthread.h>
#include <stdlib.h>
int x, y;
union { int *p; unsigned low; unsigned char byte[8]; } u = { &x };
int main(void) {
    unsigned low = u.low;
    unsigned char b = u.byte[7];
    if (low != 0) y = 1;
    if (b == 0) y = 2;
    return y;
}

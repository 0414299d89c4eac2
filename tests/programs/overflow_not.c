// Not overflows: unsigned, narrow types in a wider one, conversions, shifts.
// outcome: "0 -128 -1 -2147483648\n"
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    unsigned u = UINT_MAX;
    signed char c = 127;
    long l = 0xffffffffL;
    int s = 1;
    u++;
    c++;
    printf("%u %d %d %d\n", u, c, (int)l, s << 31);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
}

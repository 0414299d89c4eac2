// Numbers that wrap come twice.
#include <pthread.h>
#include <stdlib.h>
int x;
void *leaf(void *arg) { if (!arg) x++; return 0; }
int main(void) {
    pthread_t t;
    unsigned i = 0;
    for (int k = 0; k < 3; k++) {
        pthread_create(&t, 0, leaf, (void *)(long)i);
        i += 0x80000000u;
    }
    pthread_exit(0);
}

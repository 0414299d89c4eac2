// Numbers that wrap come twice, by steps that look small.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *leaf(void *arg) { unsigned i = (unsigned)(long)arg; if (i < 4) a[i]++; return 0; }
int main(void) {
    pthread_t t;
    unsigned i = 0;
    for (int k = 0; k < 5; k++) {
        pthread_create(&t, 0, leaf, (void *)(unsigned long)i);
        i += 0x40000000u;
    }
    pthread_exit(0);
}

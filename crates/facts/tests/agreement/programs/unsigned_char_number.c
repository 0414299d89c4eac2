// A number of one byte wraps.
#include <pthread.h>
#include <stdlib.h>
int a[256];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t;
    unsigned char i = 0;
    for (int k = 0; k < 3; k++) {
        pthread_create(&t, 0, leaf, (void *)(long)i);
        i += 128;
    }
    pthread_exit(0);
}

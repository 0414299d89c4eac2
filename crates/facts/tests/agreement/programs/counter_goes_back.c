// The counter goes back between two threads.
#include <pthread.h>
#include <stdlib.h>
int a[8];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t;
    int k = 0;
    for (long i = 0; i < 2; i++) {
        pthread_create(&t, 0, leaf, (void *)i);
        if (k == 0) { k = 1; i = -1; }
    }
    pthread_exit(0);
}

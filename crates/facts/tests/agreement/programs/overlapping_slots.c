// Slots that overlap by one.
#include <pthread.h>
#include <stdlib.h>
int a[8];
void *leaf(void *arg) { long i = (long)arg; a[i] = 1; a[i + 1] = 2; return 0; }
int main(void) {
    pthread_t t;
    for (long i = 0; i < 2; i++)
        pthread_create(&t, 0, leaf, (void *)i);
    pthread_exit(0);
}

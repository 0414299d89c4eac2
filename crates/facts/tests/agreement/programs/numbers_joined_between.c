// Numbers come again when the first threads were joined.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *f(void *arg) { a[(long)arg]++; return 0; }
int main(void) {
    pthread_t t[2];
    for (int k = 0; k < 2; k++) {
        for (long i = 0; i < 2; i++)
            pthread_create(&t[i], 0, f, (void *)i);
        for (long i = 0; i < 2; i++)
            pthread_join(t[i], 0);
    }
    return a[0];
}

// Threads create threads of their own kind.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) {
    long n = (long)arg;
    pthread_t t;
    if (n > 0) {
        pthread_create(&t, 0, f, (void *)(n - 1));
        x = 1;
        pthread_join(t, 0);
    } else
        x = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, (void *)2);
    pthread_join(t, 0);
    return 0;
}

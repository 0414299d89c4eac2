// Handles in an array, one of which is joined.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { x = (int)(long)arg; return 0; }
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, f, (void *)i);
    pthread_join(t[0], 0);
    x = 2;
    pthread_join(t[1], 0);
    return 0;
}

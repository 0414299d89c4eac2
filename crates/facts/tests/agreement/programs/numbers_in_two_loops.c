// Two loops over one counter, and the same place in a helper.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *f(void *arg) { a[(long)arg]++; return 0; }
void spawn(long i) { pthread_t t; pthread_create(&t, 0, f, (void *)i); }
int main(void) {
    for (int k = 0; k < 2; k++)
        for (long i = 0; i < 2; i++)
            spawn(i);
    pthread_exit(0);
}

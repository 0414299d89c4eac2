// A helper that counts by itself.
#include <pthread.h>
#include <stdlib.h>
int next, a[4];
void *f(void *arg) { a[(long)arg]++; return 0; }
void spawn(void) { pthread_t t; long i = next; pthread_create(&t, 0, f, (void *)i); }
int main(void) {
    for (int i = 0; i < 2; i++) spawn();
    pthread_exit(0);
}

// Each frame creates a thread and joins it at its end.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { x++; return 0; }
void go(int n) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    if (n > 0) go(n - 1);
    pthread_join(t, 0);
}
int main(void) { go(1); return 0; }

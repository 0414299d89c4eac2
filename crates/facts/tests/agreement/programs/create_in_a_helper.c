// A helper creates threads for several callers.
#include <pthread.h>
#include <stdlib.h>
int x, y;
void *f(void *arg) { ++*(int *)arg; return 0; }
pthread_t spawn(void *arg) { pthread_t t; pthread_create(&t, 0, f, arg); return t; }
int main(void) {
    pthread_t a = spawn(&x), b = spawn(&y);
    pthread_join(a, 0);
    x = 1;
    y = 1;
    pthread_join(b, 0);
    return 0;
}

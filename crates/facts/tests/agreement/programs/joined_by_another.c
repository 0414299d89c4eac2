// A thread is joined by another than its creator.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_t one;
void *f(void *arg) { x = 1; return 0; }
void *g(void *arg) { pthread_join(one, 0); x = 2; return 0; }
int main(void) {
    pthread_t two;
    pthread_create(&one, 0, f, 0);
    pthread_create(&two, 0, g, 0);
    int y = x;
    pthread_join(two, 0);
    x = 3;
    return y;
}

// Handlers that are popped, one run and one not.
#include <pthread.h>
#include <stdlib.h>
int x, y;
void one(void *p) { x = 1; }
void two(void *p) { y = 1; }
void *f(void *arg) {
    pthread_cleanup_push(one, 0);
    pthread_cleanup_push(two, 0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x = 2;
    y = 2;
    return 0;
}

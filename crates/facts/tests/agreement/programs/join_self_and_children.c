// Joining oneself does not mean that one's children have ended.
#include <pthread.h>
#include <stdlib.h>
int x;
void *leaf(void *arg) { x = 1; return 0; }
void *f(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, leaf, 0);
    pthread_join(pthread_self(), 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    return 0;
}

// Joining oneself fails at once, and the thread goes on.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { pthread_join(pthread_self(), 0); x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    return x;
}

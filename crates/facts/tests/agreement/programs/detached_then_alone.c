// After one thread is joined another that is detached still runs.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { x = 1; return 0; }
void *g(void *arg) { return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_detach(a);
    pthread_create(&b, 0, g, 0);
    pthread_join(b, 0);
    x = 2;
    return 0;
}

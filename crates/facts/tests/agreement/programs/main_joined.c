// The first thread ends and is joined.
#include <pthread.h>
#include <stdlib.h>
int x;
pthread_t first;
void *leaf(void *arg) { x = 1; return 0; }
void *g(void *arg) { pthread_join(first, 0); x = 2; return 0; }
int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, leaf, 0);
    pthread_create(&t, 0, g, 0);
    x = 3;
    pthread_exit(0);
}

// The same, two levels deep.
#include <pthread.h>
#include <stdlib.h>
int x;
void *leaf(void *arg) { x++; return 0; }
void *node(void *arg) { pthread_t t; pthread_create(&t, 0, leaf, 0); return 0; }
void *over(void *arg) { pthread_t t; pthread_create(&t, 0, node, 0); pthread_join(t, 0); return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, 0, over, 0);
        pthread_join(t, 0);
    }
}

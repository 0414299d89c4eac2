// The same, one after the other.
#include <pthread.h>
#include <stdlib.h>
int a[4];
void *leaf(void *arg) { a[(long)arg]++; return 0; }
void *node(void *arg) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, leaf, (void *)i);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, node, 0);
        pthread_join(t, 0);
    }
    pthread_exit(0);
}

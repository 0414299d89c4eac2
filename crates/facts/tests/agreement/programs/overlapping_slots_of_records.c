// Slots whose second half is the next one's first.
#include <pthread.h>
#include <stdlib.h>
struct s { int a, b; } s[4];
void *leaf(void *arg) { int *p = arg; p[0] = 1; p[2] = 2; return 0; }
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, leaf, &s[i]);
    pthread_exit(0);
}

// One object reached from another by a difference.
#include <pthread.h>
#include <stdlib.h>
int a, b;
long distance;
void *f(void *arg) { *(int *)((long)&a + distance) = 1; return 0; }
int main(void) {
    pthread_t t;
    distance = (long)&b - (long)&a;
    pthread_create(&t, 0, f, 0);
    b = 2;
    pthread_join(t, 0);
    return 0;
}

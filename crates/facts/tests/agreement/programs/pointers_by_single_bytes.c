// A pointer that travels as eight numbers.
#include <pthread.h>
#include <stdlib.h>
_Atomic unsigned char bytes[8];
int _Atomic ready;
void *f(void *arg) {
    int *p = malloc(4);
    *p = 1;
    for (int i = 0; i < 8; i++)
        bytes[i] = ((unsigned char *)&p)[i];
    ready = 1;
    *p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    if (ready) {
        int *q;
        for (int i = 0; i < 8; i++)
            ((unsigned char *)&q)[i] = bytes[i];
        *q = 3;
    }
    pthread_join(t, 0);
    return 0;
}

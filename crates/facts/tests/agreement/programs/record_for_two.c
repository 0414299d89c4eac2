// One block handed to two threads.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { ++*(int *)arg; return 0; }
int main(void) {
    pthread_t t[2];
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (i % 2 == 0) p = calloc(1, 4);
        pthread_create(&t[i], 0, f, p);
    }
    pthread_exit(0);
}

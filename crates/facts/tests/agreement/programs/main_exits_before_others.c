// A local of main ends with its thread while others use it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
    int here = 0;
    pthread_t t;
    pthread_create(&t, 0, f, &here);
    pthread_exit(0);
}

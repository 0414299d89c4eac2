// A local of main ends when main returns, just before the program does.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
    int here = 0;
    pthread_t t;
    pthread_create(&t, 0, f, &here);
    return 0;
}

// A block that one thread gives back while another uses it.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { *(int *)arg = 1; return 0; }
void *g(void *arg) { free(arg); return 0; }
int main(void) {
    pthread_t t;
    int *p = malloc(4);
    pthread_create(&t, 0, f, p);
    pthread_create(&t, 0, g, p);
    pthread_exit(0);
}

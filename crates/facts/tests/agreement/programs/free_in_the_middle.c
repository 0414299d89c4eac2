// Giving back a pointer into a block.
#include <pthread.h>
#include <stdlib.h>
void *f(void *arg) { *(char *)arg = 1; return 0; }
int main(void) {
    pthread_t t;
    char *p = malloc(4);
    pthread_create(&t, 0, f, p);
    free(p + 1);
    return 0;
}

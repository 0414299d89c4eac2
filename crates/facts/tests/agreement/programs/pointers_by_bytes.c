// Records with pointers copied byte by byte.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct s { int *p; int n; } shared;
int _Atomic ready;
void *f(void *arg) {
    struct s own;
    own.p = malloc(4);
    own.n = 1;
    *own.p = 1;
    memcpy(&shared, &own, sizeof own);
    ready = 1;
    *own.p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    if (ready) *shared.p = 3;
    pthread_join(t, 0);
    return 0;
}

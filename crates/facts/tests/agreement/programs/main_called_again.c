// A local of main as a function of another thread.
#include <pthread.h>
#include <stdlib.h>
int *_Atomic g;
int main(void);
void *f(void *arg) { main(); return 0; }
int main(void) {
    static int n;
    int here = 0;
    pthread_t t;
    if (n++ == 0) {
        pthread_create(&t, 0, f, 0);
        pthread_join(t, 0);
        int *p = g;
        if (p) *p = 1;
    } else
        g = &here;
    return here;
}

// A declaration that is passed again changes an object that is shared.
#include <pthread.h>
#include <stdlib.h>
int x;
void *f(void *arg) { int *p = arg; if (p[1] == 0) x = 1; return 0; }
int main(void) {
    pthread_t t;
    int n = 0, u = 0, v = 0;
    {
again:;
        int a[2] = { 0, n };
        u = v;
        v = a[1];
        pthread_create(&t, 0, f, a);
        if (n++ < 1) goto again;
    }
    pthread_join(t, 0);
    return u - v;
}

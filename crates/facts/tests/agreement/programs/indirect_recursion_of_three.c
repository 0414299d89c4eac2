// The same with three.
#include <pthread.h>
#include <stdlib.h>
int y;
void (*pg)(int), (*pf)(int), (*ph)(int);
void f(int n) { int k = n; if (n > 0) pg(n); if (k == 1) y = 1; }
void g(int n) { int k = n; ph(n); if (k == 2) y = 2; }
void h(int n) { int k = n; pf(n - 1); if (k == 2) y = 3; }
void *t1(void *arg) { y = 2; return 0; }
int main(void) {
    pthread_t t;
    pf = f; pg = g; ph = h;
    pthread_create(&t, 0, t1, 0);
    f(2);
    pthread_join(t, 0);
    return 0;
}

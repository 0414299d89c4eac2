// Recursion by pointers to functions: all in the circle are recursive.
#include <pthread.h>
#include <stdlib.h>
int x, y;
void g(int n);
void (*volatile pg)(int) = g;
void f(int n) { if (n > 0) pg(n); }
void (*pf)(int) = f;
void g(int n) {
    int k = n;
    int *volatile p = &k;
    void (*call)(int) = pf;
    call(n - 1);
    if (k == 2) y = 1;
    if (*p == 2) x = 1;
}
void *t1(void *arg) { x = 2; y = 2; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, t1, 0);
    f(2);
    pthread_join(t, 0);
    return 0;
}

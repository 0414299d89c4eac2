// A destructor that sets its key again.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t k;
int x;
void destroy(void *p) { x++; if (x < 2) pthread_setspecific(k, p); }
void *f(void *arg) { pthread_setspecific(k, &x); return 0; }
int main(void) {
    pthread_t t;
    pthread_key_create(&k, destroy);
    pthread_create(&t, 0, f, 0);
    x = 5;
    pthread_exit(0);
}

// The value of a key is another in each thread.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t k;
int a[2];
void *f(void *arg) { pthread_setspecific(k, arg); ++*(int *)pthread_getspecific(k); return 0; }
int main(void) {
    pthread_t t;
    pthread_key_create(&k, 0);
    pthread_create(&t, 0, f, &a[0]);
    pthread_create(&t, 0, f, &a[0]);
    pthread_exit(0);
}

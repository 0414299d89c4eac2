// The lock is read from a record that others replace.
#include <pthread.h>
#include <stdlib.h>
struct s { pthread_mutex_t *m; } g;
pthread_mutex_t a, b;
int x;
void *f(void *arg) { pthread_mutex_t *m = g.m; pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return 0; }
int main(void) {
    pthread_t t;
    g.m = &a;
    pthread_create(&t, 0, f, 0);
    g.m = &b;
    pthread_create(&t, 0, f, 0);
    pthread_exit(0);
}

// The lock of another element than the one that is touched.
#include <pthread.h>
#include <stdlib.h>
struct s { pthread_mutex_t m; int v; } s[2];
void *f(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&s[i].m);
    s[1 - i].v = 1;
    pthread_mutex_unlock(&s[i].m);
    return 0;
}
int main(void) {
    pthread_t t;
    for (long i = 0; i < 2; i++)
        pthread_create(&t, 0, f, (void *)i);
    pthread_exit(0);
}

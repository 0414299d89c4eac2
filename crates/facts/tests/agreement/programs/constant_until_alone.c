// Which lock it is stays the same only until the first thread is alone again: what was read before is another.
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *lock = &first;
int x;

void *f(void *arg) {
    pthread_mutex_t *mine = lock;
    pthread_mutex_lock(mine);
    x++;
    pthread_mutex_unlock(mine);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_t *old = lock;
    pthread_join(t, 0);
    lock = &second;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_lock(old);
    x++;
    pthread_mutex_unlock(old);
    pthread_join(t, 0);
    return 0;
}

// A lock that may be somewhere else keeps nobody out.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);
pthread_mutex_t lock;
int value;

void *run(void *arg) {
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t *other = __VERIFIER_nondet_pointer();
    pthread_mutex_t *either = __VERIFIER_nondet_int() ? &lock : (pthread_mutex_t *)64;
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_lock(either);
    value = 2;
    pthread_mutex_unlock(either);
    pthread_mutex_lock(&lock);
    if (other == &lock)
        pthread_mutex_unlock(other);
    value = 3;
    pthread_join(thread, 0);
    return value;
}

#include <pthread.h>
pthread_mutex_t lock;
pthread_rwlock_t both;
pthread_barrier_t barrier;
pthread_key_t key;
extern int __VERIFIER_nondet_int(void);

void *run(void *arg) { return 0; }

int main(void) {
    pthread_t first, second, missing;
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        pthread_join(first, 0);
        pthread_join(first, 0);
        break;
    case 1:
        pthread_detach(first);
        pthread_join(first, 0);
        break;
    case 7:
        pthread_mutex_lock(&lock);
        pthread_mutex_init(&lock, 0);
        pthread_rwlock_rdlock(&both);
        pthread_rwlock_init(&both, 0);
        break;
    default:
        pthread_join(second, 0);
        pthread_setspecific(key, &lock);
        pthread_barrier_wait(&barrier);
        pthread_join(missing, 0);
    }
    return 0;
}

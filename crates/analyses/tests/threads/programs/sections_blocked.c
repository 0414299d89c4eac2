// Threads that wait inside atomic sections, leave threads there, and end there.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, count;

void *waits(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    count++;
    __VERIFIER_atomic_end();
    if (arg)
        pthread_exit(0);
    count++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, waits, 0);
    pthread_create(&b, 0, waits, &a);
    pthread_create(&c, 0, waits, 0);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    __VERIFIER_atomic_begin();
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}

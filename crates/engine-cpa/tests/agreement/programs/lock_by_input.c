// The lock is chosen by an input: both are tried, and no counter is written without its own.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int counter[2];

void *add(void *arg)
{
    int i = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&lock[i]);
    counter[i]++;
    pthread_mutex_unlock(&lock[i]);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return counter[0] + counter[1] - 2;
}

// A reader that finds the lock taken does something else, and unlocks only what it has locked.
//
// Heddle should say: lock_discipline is proved.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int filled, value;

void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    value = 42;
    filled = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

void *reader(void *arg)
{
    int result = 0;
    if (pthread_mutex_trylock(&lock) == 0) {
        if (filled)
            result = value;
        pthread_mutex_unlock(&lock);
    }
    return result ? arg : 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

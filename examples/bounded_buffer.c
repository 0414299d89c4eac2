// A buffer of two places between a producer and a consumer, with a condition variable for each way of waiting. The
// waits are in loops, because a thread may be woken although the condition does not hold (or no longer does).
//
// Heddle should say: the assertion holds (numbers arrive in order), no data race, no deadlock.
// Things to try: replace a `while` by `if`, or leave out a pthread_cond_signal.
#include <assert.h>
#include <pthread.h>

#define PLACES 2
#define ITEMS 4

int buffer[PLACES];
int count, in, out;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == PLACES)
        pthread_cond_wait(&not_full, &lock);
    buffer[in] = item;
    in = (in + 1) % PLACES;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

int take(void)
{
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    int item = buffer[out];
    out = (out + 1) % PLACES;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

void *produce(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++)
        put(i);
    return 0;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < ITEMS; i++)
        assert(take() == i);
    pthread_join(producer, 0);
    return 0;
}

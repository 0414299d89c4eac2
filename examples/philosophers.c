// Three philosophers at a round table, a fork between each two. Everybody takes the left fork first; if all do so at once,
// nobody ever gets a right one.
//
// Heddle should say: deadlock (no-deadlock). There is no data race.
// Things to try: compile with -DPOLITE (in Heddle: -D POLITE), where the last one takes the right fork first.
#include <pthread.h>

#define SEATS 3

pthread_mutex_t fork_at[SEATS];
int meals[SEATS];

void *philosopher(void *arg)
{
    long seat = (long)arg;
    long first = seat, second = (seat + 1) % SEATS;
#ifdef POLITE
    if (second < first) {
        first = second;
        second = seat;
    }
#endif
    pthread_mutex_lock(&fork_at[first]);
    pthread_mutex_lock(&fork_at[second]);
    meals[seat]++;
    pthread_mutex_unlock(&fork_at[second]);
    pthread_mutex_unlock(&fork_at[first]);
    return 0;
}

int main(void)
{
    pthread_t threads[SEATS];
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&fork_at[i], 0);
    for (long i = 0; i < SEATS; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], 0);
    return 0;
}

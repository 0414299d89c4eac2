// Money moves between two accounts. Each transfer locks its source first, so two transfers in opposite directions
// can each hold the lock that the other one wants.
//
// Heddle should say: deadlock (no-deadlock), with the two threads and what each waits for. There is no data race.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *alice_pays(void *arg)
{
    (void)arg;
    transfer(&alice, &bob, 10);
    return 0;
}

int main(void)
{
    pthread_t payer;
    pthread_create(&payer, 0, alice_pays, 0);
    transfer(&bob, &alice, 20);
    pthread_join(payer, 0);
    return 0;
}

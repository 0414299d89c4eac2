// Peterson's algorithm: mutual exclusion of two threads with nothing but atomic variables.
//
// Heddle should say: both assertions hold, no data race (`inside` and `counter` are protected by the algorithm).
// It relies on sequential consistency: with `memory_order_relaxed` it would be wrong on real machines.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int turn;
int inside;
int counter;

static void enter(int self)
{
    int other = 1 - self;
    atomic_store(&wants[self], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
}

static void leave(int self)
{
    atomic_store(&wants[self], 0);
}

static void work(int self)
{
    enter(self);
    inside++;
    assert(inside == 1);
    counter++;
    inside--;
    leave(self);
}

void *second(void *arg)
{
    (void)arg;
    work(1);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    work(0);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}

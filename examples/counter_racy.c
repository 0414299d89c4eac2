// Two threads add to a counter without a lock. `counter++` is a load, an addition and a store, and the
// other thread may run in between: an update can be lost.
//
// Heddle should say: data race on `counter` (no-data-race), and the assertion can fail (unreach-call).
#include <assert.h>
#include <pthread.h>

int counter;

void *add(void *arg)
{
    (void)arg;
    counter++;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}

// A configuration that the first user makes. Most users only look at the atomic pointer; the lock is taken by those who
// find it null, and they look again.
//
// Heddle should say: the assertions hold, no data race, no memory error, nothing lost.
// Things to try: make `shared` an ordinary pointer (a data race), or leave out the second look (memory is lost).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int limit;
};

_Atomic(struct config *) shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct config *config(void)
{
    struct config *c = atomic_load(&shared);
    if (!c) {
        pthread_mutex_lock(&lock);
        c = atomic_load(&shared);
        if (!c) {
            c = malloc(sizeof *c);
            if (!c)
                abort();
            c->limit = 42;
            atomic_store(&shared, c);
        }
        pthread_mutex_unlock(&lock);
    }
    return c;
}

void *use(void *arg)
{
    (void)arg;
    assert(config()->limit == 42);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(atomic_load(&shared));
    return 0;
}

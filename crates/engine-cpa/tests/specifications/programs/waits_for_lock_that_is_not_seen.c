// The spin lock is no event of the automaton, but the thread that holds it makes another wait in a call that is one.
// spec: { initial state s { on call phase goto t; } state t { on call pthread_spin_lock($l) goto error "e"; } }
// spec: { initial state s { on call phase goto t; } state t { on call pthread_mutex_lock($l) goto error "e"; } }
// spec: { initial state s { on call pthread_join goto t; } state t { on call pthread_spin_lock($l) goto error "e"; } }
#include <pthread.h>

pthread_spinlock_t lock;
int x;

void phase(void) {}

void *holder(void *arg)
{
    pthread_spin_lock(&lock);
    phase();
    while (1)
        ;
}

void *waiter(void *arg)
{
    pthread_spin_lock(&lock);
    x = 1;
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, 0);
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, waiter, 0);
    pthread_join(b, 0);
    return 0;
}

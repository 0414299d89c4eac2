// What happens in atomic sections is seen in every order, though nothing is shared.
// spec: { initial state s { on call first goto one; } state one { on call second goto error "e"; } }
// spec: { initial state s { on call second goto one; } state one { on call first goto error "e"; } }
// spec: { initial state s { on call third goto one; } state one { on call second goto error "e"; } }
// spec: { initial state s { on call second goto one; } state one { on call third goto error "e"; } }
// spec: { initial state s { on call third goto one; } state one { on call first goto error "e"; } }
// spec: { initial state s { on call first goto one; } state one { on call third goto error "e"; } }
// spec: { initial state s { on call first goto one; } state one { on call first goto error "e"; } }
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void first(void) {}
void second(void) {}
void third(void) {}

void *a(void *arg)
{
    __VERIFIER_atomic_begin();
    first();
    __VERIFIER_atomic_end();
    return 0;
}

// Waits inside its section while the main thread has the lock.
void *b(void *arg)
{
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&lock);
    second();
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    return 0;
}

void *c(void *arg)
{
    third();
    return 0;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, a, 0);
    pthread_create(&u, 0, b, 0);
    pthread_create(&v, 0, c, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}

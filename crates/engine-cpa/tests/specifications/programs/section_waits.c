// A thread waits inside its atomic section; the thread that wakes it starts what no thread interrupts.
// spec: { initial state s { on call second goto one; } state one { on call third goto error "e"; } }
// spec: { initial state s { on call third goto one; } state one { on call second goto error "e"; } }
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
sem_t tokens;
int x;

void second(void) {}
void third(void) {}

void *b(void *arg)
{
    __VERIFIER_atomic_begin();
    sem_wait(&tokens);
    second();
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
    pthread_t u, v;
    sem_init(&tokens, 0, 0);
    pthread_create(&v, 0, c, 0);
    pthread_create(&u, 0, b, 0);
    sem_post(&tokens);
    pthread_join(u, 0);
    return 0;
}

// What calls give counts, though the program does not look.
// spec: { initial state s { on return pthread_mutex_trylock -> 0 goto t; } state t { on return pthread_mutex_trylock -> $r when $r != 0 goto error "e"; } }
// spec: for each $m { initial state s { on call pthread_mutex_trylock($m) goto t; } state t { on return pthread_mutex_trylock -> 16 goto error "e"; } }
// spec: { initial state s { on return sem_trywait -> -1 goto error "e"; } }
// spec: { initial state s { on return pthread_create -> 0 goto t; } state t { on return pthread_join -> 1 goto error "e"; } }
// spec: { initial state s { on return pthread_self -> null goto error "e"; } }
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t tokens;
int x;

void *worker(void *arg)
{
    pthread_mutex_trylock(&lock);
    sem_trywait(&tokens);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&tokens, 0, 1);
    pthread_create(&t, 0, worker, 0);
    pthread_self();
    pthread_mutex_trylock(&lock);
    sem_trywait(&tokens);
    pthread_join(t, 0);
    x = 1;
    return 0;
}

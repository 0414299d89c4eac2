// Threads, mutexes, rwlocks, spin locks, once and keys are single edges; the handle of a new thread is stored by the edge that creates it.

typedef unsigned long pthread_t;
typedef struct { int d[10]; } pthread_mutex_t, pthread_rwlock_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_once(int *, void (*)(void));
int pthread_key_create(unsigned *, void (*)(void *));
int pthread_setspecific(unsigned, const void *);
void *pthread_getspecific(unsigned);

pthread_mutex_t m;
pthread_rwlock_t rw;
int once;
unsigned key;
pthread_t ts[2];

void setup(void) { pthread_key_create(&key, 0); }

void *worker(void *arg)
{
    pthread_once(&once, setup);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    while (pthread_mutex_trylock(&m))
        ;
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_setspecific(key, arg);
    return pthread_getspecific(key);
}

int start(int n)
{
    void *result;
    for (int i = 0; i < n; i++)
        if (pthread_create(&ts[i], 0, worker, &ts[i]) != 0)
            return 1;
    pthread_join(ts[0], &result);
    pthread_join(ts[1], 0);
    pthread_detach(pthread_self());
    return result != 0;
}

int main(void) { start(2); }

// Waiting is split where others must be able to run: a condition variable sleeps, wakes and locks again; a barrier is reached, then passed;
// a semaphore waits by one edge.

typedef struct { int d[12]; } pthread_cond_t, pthread_mutex_t, pthread_barrier_t, sem_t;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const void *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_post(sem_t *);

struct queue { int count; pthread_mutex_t lock; pthread_cond_t changed; } *q;
pthread_barrier_t barrier;
sem_t sem;

int conditions(void)
{
    while (q->count == 0)
        pthread_cond_wait(&q->changed, &q->lock);
    pthread_cond_signal(&q->changed);
    pthread_cond_broadcast(&q->changed);
    return pthread_cond_timedwait(&q->changed, &q->lock, 0);
}

int others(unsigned n)
{
    pthread_barrier_init(&barrier, 0, n);
    int r = pthread_barrier_wait(&barrier);
    sem_init(&sem, 0, 1);
    sem_wait(&sem);
    if (sem_trywait(&sem) == -1)
        sem_post(&sem);
    return r;
}

int main(void)
{
    conditions();
    others(2);
}

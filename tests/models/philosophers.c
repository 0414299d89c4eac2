// Four philosophers who may starve.
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void pthread_exit(void *);

pthread_mutex_t forks[4];

void *eat(void *arg) {
    int me = (int)(long)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&forks[me]);
        pthread_mutex_lock(&forks[(me + 1) % 4]);
        pthread_mutex_unlock(&forks[(me + 1) % 4]);
        pthread_mutex_unlock(&forks[me]);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, eat, (void *)0);
    pthread_create(&b, 0, eat, (void *)1);
    pthread_create(&c, 0, eat, (void *)2);
    pthread_create(&d, 0, eat, (void *)3);
    pthread_exit(0);
}

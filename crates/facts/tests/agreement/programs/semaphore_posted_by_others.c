// A semaphore that another thread posts.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
sem_t s;
int x;
void *f(void *arg) { sem_wait(&s); x = 1; sem_post(&s); return 0; }
void *g(void *arg) { sem_post(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, g, 0);
    pthread_create(&t, 0, g, 0);
    sem_wait(&s);
    x = 2;
    sem_post(&s);
    return 0;
}

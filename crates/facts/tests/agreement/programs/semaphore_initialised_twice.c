// A semaphore that is made new while it is held.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
sem_t s;
int x;
void *f(void *arg) { sem_wait(&s); x = 1; sem_post(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, f, 0);
    sem_init(&s, 0, 1);
    sem_wait(&s);
    x = 2;
    sem_post(&s);
    return 0;
}

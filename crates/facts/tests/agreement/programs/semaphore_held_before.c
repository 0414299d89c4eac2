// The first thread holds a semaphore when others begin, and posts it twice.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
sem_t s;
int x;
void *f(void *arg) { sem_wait(&s); x++; sem_post(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    sem_wait(&s);
    pthread_create(&t, 0, f, 0);
    pthread_create(&t, 0, f, 0);
    sem_post(&s);
    sem_post(&s);
    pthread_exit(0);
}

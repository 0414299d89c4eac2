// A semaphore is posted though it was taken on one way only.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
sem_t s;
int x;
void *f(void *arg) {
    if (__VERIFIER_nondet_int()) sem_wait(&s);
    sem_post(&s);
    sem_wait(&s);
    x = 1;
    sem_post(&s);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, f, 0);
    sem_wait(&s);
    x = 2;
    sem_post(&s);
    return 0;
}

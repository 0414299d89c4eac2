// Peterson's lock with atomic variables: the section is safe and free of races.
// outcome: "2\n"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int counter;

static void *work(void *arg) {
    int self = (int)(long)arg, other = 1 - self;
    wants[self] = 1;
    turn = other;
    while (wants[other] && turn == other)
        ;
    counter++;
    wants[self] = 0;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(thread, NULL);
    printf("%d\n", counter);
}

// Dekker's lock with plain variables: it excludes under sequential consistency, but its own variables race.
// outcome: "2\n"
// outcome: race
// compiled: no, the processor buffers stores
#include <pthread.h>
#include <stdio.h>

static int wants[2], turn, counter;

static void *work(void *arg) {
    int self = (int)(long)arg, other = 1 - self;
    wants[self] = 1;
    while (wants[other]) {
        if (turn != self) {
            wants[self] = 0;
            while (turn != self)
                ;
            wants[self] = 1;
        }
    }
    counter++;
    turn = other;
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
